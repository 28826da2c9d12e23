import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { colour, theme } from "../shell/theme";
import type { Row } from "./series";

export interface Curve {
  name: string;
  colour: string; // a custom property of the theme
  scale?: string;
}

interface Props {
  title?: string;
  label: string; // says the last values, for those who cannot see it
  curves: Curve[];
  data: [number[], ...Row[]];
  shown: (v: number) => string;
  top?: number; // least height of the scale
  height?: number;
  points?: boolean;
}

// Chart draws curves over time. It follows the width of its place and the theme.
export function Chart({ title, label, curves, data, shown, top, height = 120, points = false }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const look = theme.value;

  useEffect(() => {
    const el = place.current;
    if (el === null) return;
    const made = new uPlot(options(el.clientWidth, height, curves, shown, top, points), data as uPlot.AlignedData, el);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: el.clientWidth, height }));
    sizes.observe(el);
    return () => {
      sizes.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [look, curves.length]);
  useEffect(() => plot.current?.setData(data as uPlot.AlignedData), [data]);

  return (
    <figure class="chart">
      {title ? <figcaption>{title}</figcaption> : null}
      <div ref={place} role="img" aria-label={label} style={{ height: `${height}px` }} />
      {curves.length > 1 && !title ? (
        <figcaption>
          {curves.map((c) => (
            <span key={c.name} class="key">
              <i style={{ background: `var(${c.colour})` }} />
              {c.name}
            </span>
          ))}
        </figcaption>
      ) : null}
    </figure>
  );
}

function options(width: number, height: number, curves: Curve[], shown: (v: number) => string, top: number | undefined, points: boolean): uPlot.Options {
  const ink = colour("--ink-2");
  const font = `11px ${colour("--sans")}`;
  const axis = { stroke: ink, font, grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return {
    width, height,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 28, 0, 0],
    scales: { x: { range: (_, min, max) => spanOf(min, max) }, y: { range: (_, __, max) => [0, Math.max(top ?? 0, (max || 0) * 1.15) || 1] } },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 24, values: (_, splits) => splits.map(clock) },
      { ...axis, size: 52, space: 32, values: (_, splits) => splits.map(shown) },
    ],
    series: [{}, ...curves.map((c) => curveOf(c, points))],
  };
}

// spanOf is the time that is shown: what was measured, or the last minute while that is not enough for a curve.
export function spanOf(min: number | null, max: number | null): [number, number] {
  if (min !== null && max !== null && max - min >= 1) return [min, max];
  const end = max || Date.now() / 1000;
  return [end - 60, end];
}

function curveOf(c: Curve, points: boolean): uPlot.Series {
  const stroke = colour(c.colour);
  return { label: c.name, stroke, width: 2, points: { show: points, size: 5, fill: stroke }, fill: stroke + "18", spanGaps: false };
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}
