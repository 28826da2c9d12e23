import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { faultOf } from "../net/ask";
import { tellFault } from "../world/deeds";
import { Icon } from "./icon";

interface Props {
  act: () => unknown;
  icon?: string;
  label?: string; // where the content does not say it
  kind?: "plain" | "main" | "danger" | "bare";
  disabled?: boolean;
  children?: ComponentChildren;
}

// Button acts once at a time, and tells what went wrong.
export function Button({ act, icon, label, kind = "plain", disabled, children }: Props) {
  const busy = useSignal(false);
  const click = async () => {
    busy.value = true;
    try {
      await act();
    } catch (err) {
      tellFault(faultOf(err));
    } finally {
      busy.value = false;
    }
  };
  const name = label ? { "aria-label": label, title: label } : {};
  return (
    <button type="button" class={`button ${kind}`} disabled={disabled === true || busy.value} onClick={() => void click()} {...name}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}
