import { expect, test } from "vitest";
import { SentEvents } from "./sse";

const stream = ': hello\n\nevent: sentence\ndata: {"sentence":"Hé"}\n\n: beat\n\nevent: answer\r\ndata: 1\r\ndata: 2\r\n\r\ndata:bare\n\n';
const want = [
  { event: "sentence", data: '{"sentence":"Hé"}' },
  { event: "answer", data: "1\n2" },
  { event: "message", data: "bare" },
];

test("events are whole however the stream was cut", () => {
  for (let size = 1; size <= stream.length; size++) {
    const events = new SentEvents();
    const got = [];
    for (let at = 0; at < stream.length; at += size) got.push(...events.take(stream.slice(at, at + size)));
    expect(got, `in pieces of ${size}`).toEqual(want);
  }
});

test("an event without an end is let go before it fills the page", () => {
  const events = new SentEvents();
  for (let i = 0; i < 5; i++) events.take("data: " + "x".repeat(1 << 20));
  const got = events.take("\n\ndata: 1\n\n");
  expect(got.map((e) => e.data.length)).toEqual([1]);
  expect(got).toEqual([{ event: "message", data: "1" }]);
});
