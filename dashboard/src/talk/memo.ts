import { Component, h, type ComponentType, type FunctionComponent } from "preact";

// memo draws a component anew only when one of its properties is another. Exchanges never change, they are replaced.
export function memo<P extends object>(inner: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some((k) => next[k] !== this.props[k]);
    }
    override render() {
      return h(inner, this.props as P & { key?: never });
    }
  };
}
