// A client of the protocol's own SDK: lists everything, calls everything, holds a debate.
//
// node sdk.cjs SETUP, where SETUP is JSON: `modules`, the folder with the SDK in node_modules; `url`,
// or `program`, `cwd` and `env` of the server; `root`, the folder that the client has open; `topic`.
// Prints JSON. The SDK holds each result to the output schema that the server told.
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");

const setup = JSON.parse(process.argv[2]);
const sdk = (path) => createRequire(`${setup.modules}/`)(`@modelcontextprotocol/sdk/${path}`);
const { Client } = sdk("client/index.js");
const { StdioClientTransport } = sdk("client/stdio.js");
const { StreamableHTTPClientTransport } = sdk("client/streamableHttp.js");
const types = sdk("types.js");

const transport = setup.url
  ? new StreamableHTTPClientTransport(new URL(setup.url))
  : new StdioClientTransport({
      command: setup.program,
      args: ["mcp"],
      cwd: setup.cwd,
      env: setup.env,
    });
const client = new Client(
  { name: "test", version: "0" },
  { capabilities: setup.root ? { roots: {} } : {} },
);
const told = { rootsAsked: 0, progress: [] };
if (setup.root) {
  client.setRequestHandler(types.ListRootsRequestSchema, () => {
    told.rootsAsked += 1;
    return { roots: [{ uri: pathToFileURL(setup.root).href, name: "project" }] };
  });
}

// What a call gives: its document, or the error that the server tells a model of.
async function call(name, args, options) {
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  const text = JSON.parse(result.content[0].text);
  return result.isError ? { error: text.error } : result.structuredContent;
}

// The code of the error that the protocol itself has.
const refused = (promise) =>
  promise.then(
    () => "accepted",
    (error) => error.code ?? error.name,
  );

async function main() {
  await client.connect(transport);
  told.server = client.getServerVersion().name;
  told.instructions = client.getInstructions().length;
  told.tools = (await client.listTools()).tools.map((tool) => tool.name);
  told.prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
  const asked = { name: "duel-prompt", arguments: { topic: setup.topic } };
  told.prompt = (await client.getPrompt(asked)).messages[0].content.text;
  await client.ping();

  told.started = await call("debate_start", { topic: setup.topic });
  const debate = told.started.debate;
  const waited = new AbortController();
  const taken = refused(
    call("debate_wait", { debate, cursor: 99, timeout: 50 }, { signal: waited.signal }),
  );
  setTimeout(() => waited.abort("enough"), 300);
  told.taken = await taken;
  let heard = { cursor: 0, state: "running", waiting: 0 };
  told.turns = 0;
  const onprogress = (step) => told.progress.push([step.progress, step.total]);
  while (heard.state === "running" || heard.waiting > 0) {
    heard = await call("debate_wait", { debate, cursor: heard.cursor }, { onprogress });
    told.turns += heard.turns.length;
  }
  told.state = heard.state;
  told.result = await call("debate_result", { debate });
  for (const section of ["transcript", "evidence", "findings", "arguments", "synthesis"]) {
    told[section] = await call("debate_result", { debate, section });
  }
  told.steered = await call("debate_steer", { debate, op: "continue", rounds: 1 });
  told.stopped = await call("debate_steer", { debate, op: "stop" });
  told.answer = await call("debate_ask", { debate, question: "Which one is faster?" });
  told.consulted = await call("consult", { question: setup.topic });
  told.recalled = await call("recall", { topic: setup.topic });
  told.tools_here = await call("status", { op: "tools" });
  told.usage = await call("status", { op: "usage" });

  told.bad = await call("debate_start", { topic: setup.topic, rounds: "many" });
  told.unknown_tool = await refused(client.callTool({ name: "nosuch", arguments: {} }));
  const request = { method: "no/such", params: {} };
  told.unknown_method = await refused(client.request(request, types.EmptyResultSchema));
  await client.close();
  console.log(JSON.stringify(told));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
