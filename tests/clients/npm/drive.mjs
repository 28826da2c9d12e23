// Drives Solo's web door with the official client and prints what came of each step, a line of JSON each.
import fs from "node:fs";
import OpenAI, { toFile } from "openai";

const { SOLO_URL, SOLO_TOKEN, SOLO_WAV } = process.env;
const client = new OpenAI({ baseURL: SOLO_URL + "/v1", apiKey: SOLO_TOKEN, maxRetries: 0 });

async function step(name, run) {
  let got;
  try {
    got = await run();
  } catch (e) {
    got = { error: e.constructor.name, status: e.status ?? 0, code: e.code ?? "", type: e.type ?? "", message: String(e.message) };
  }
  console.log(JSON.stringify({ step: name, got }));
}

const talk = (model, text, more = {}) => ({ model, messages: [{ role: "system", content: "Be brief." }, { role: "user", content: text }], ...more });
const tools = [{ type: "function", function: { name: "weather", description: "tells the weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } } }];

async function streamed(request) {
  let text = "", finish = "", usage = null, pieces = 0;
  for await (const c of await client.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } })) {
    pieces++;
    text += c.choices[0]?.delta?.content ?? "";
    finish = c.choices[0]?.finish_reason ?? finish;
    usage = c.usage ?? usage;
  }
  return { text, finish, tokens: usage?.total_tokens ?? 0, several: pieces > 3 };
}

await step("models", async () => {
  const ids = [];
  for await (const m of client.models.list()) ids.push(m.id);
  return ids;
});
await step("model", async () => (await client.models.retrieve("llama/tiny")).id);
await step("chat", async () => {
  const a = await client.chat.completions.create(talk("solo", "Hello."));
  return [a.choices[0].message.role, a.choices[0].message.content, a.choices[0].finish_reason];
});
await step("stream of solo", () => streamed(talk("solo", "Hello.")));
await step("stream of a model", () => streamed(talk("tiny", "Hello")));
await step("helper", async () => {
  const run = client.chat.completions.stream(talk("tiny", "Hello"));
  return (await run.finalChatCompletion()).choices[0].message.content;
});
await step("tools", async () => {
  const request = talk("tiny", "Weather?", { tools });
  const a = await client.chat.completions.create(request);
  const calls = a.choices[0].message.tool_calls;
  request.messages.push(a.choices[0].message, ...calls.map((c) => ({ role: "tool", tool_call_id: c.id, content: "rain in " + JSON.parse(c.function.arguments).city })));
  const b = await client.chat.completions.create(request);
  return [a.choices[0].finish_reason, calls.map((c) => c.function.name), b.choices[0].message.content];
});
await step("tools run by the helper", async () => {
  const asked = [];
  const run = client.chat.completions.runTools({
    ...talk("tiny", "Weather?"),
    stream: true,
    tools: [{ type: "function", function: { ...tools[0].function, parse: JSON.parse, function: ({ city }) => { asked.push(city); return "sun in " + city; } } }],
  });
  return [await run.finalContent(), asked];
});
await step("tools of solo", () => client.chat.completions.create(talk("solo", "Weather?", { tools })));
await step("transcription", async () => (await client.audio.transcriptions.create({ file: fs.createReadStream(SOLO_WAV), model: "whisper-1" })).text);
await step("transcription with times", async () => {
  const a = await client.audio.transcriptions.create({ file: fs.createReadStream(SOLO_WAV), model: "whisper-1", response_format: "verbose_json" });
  return [a.text, a.duration, a.segments.length];
});
await step("transcription as a stream", async () => {
  const all = [];
  for await (const e of await client.audio.transcriptions.create({ file: fs.createReadStream(SOLO_WAV), model: "gpt-4o-transcribe", stream: true })) all.push(e.delta ?? e.text);
  return all;
});
await step("captions", async () => await client.audio.transcriptions.create({ file: await toFile(fs.readFileSync(SOLO_WAV), "a.wav"), model: "whisper-1", response_format: "srt" }));
await step("no sound", async () => client.audio.transcriptions.create({ file: await toFile(Buffer.from("no sound"), "a.wav"), model: "whisper-1" }));
await step("speech", async () => {
  const a = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Hello", response_format: "wav" });
  return [a.headers.get("content-type"), Buffer.from(await a.arrayBuffer()).subarray(0, 4).toString()];
});
await step("embeddings", async () => {
  const a = await client.embeddings.create({ model: "tiny", input: ["one", "three"] });
  return a.data.map((d) => Array.from(d.embedding));
});
await step("embeddings as numbers", async () => (await client.embeddings.create({ model: "tiny", input: "one", encoding_format: "float" })).data[0].embedding);
await step("wrong key", () => client.withOptions({ apiKey: "sk-none" }).models.list());
await step("no model", () => client.chat.completions.create(talk("gpt-9", "a")));
await step("no words", () => client.chat.completions.create(talk("solo", "")));
await step("busy", async () => {
  const stop = new AbortController();
  const waits = client.chat.completions.create(talk("solo", "wait"), { signal: stop.signal }).catch((e) => e.constructor.name);
  try {
    for (let i = 0; i < 200; i++) {
      await client.chat.completions.create(talk("solo", "a")); // until the one that waits has begun
      await new Promise((done) => setTimeout(done, 10));
    }
    return "never busy";
  } finally {
    stop.abort();
    await waits;
  }
});
