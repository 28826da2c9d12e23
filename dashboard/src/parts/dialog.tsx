import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface Props {
  title: string;
  open: boolean;
  close: () => void;
  children: ComponentChildren;
}

// Dialog stands before the page until it is closed. The browser keeps the focus inside and gives it back.
export function Dialog({ title, open, close, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) dialog.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={close} onClick={(e) => e.target === ref.current && close()}>
      {open ? (
        <div class="dialog">
          <header>
            <h2 id={id}>{title}</h2>
            <button type="button" class="button bare" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      ) : (
        <h2 id={id} hidden>
          {title}
        </h2>
      )}
    </dialog>
  );
}
