interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

interface Config {
  readonly where: string;
  say(entry: Entry): string;
}

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2);
const inServers = (entry: Entry): string => pretty({ mcpServers: { deskmap: entry } });

const configs: Readonly<Record<string, Config>> = {
  "claude-desktop": {
    where: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    say: inServers,
  },
  "claude-code": {
    where: "a terminal; or .mcp.json in the folder of a project",
    say: (entry) => `claude mcp add deskmap -- ${[entry.command, ...entry.args].join(" ")}\n\n${inServers(entry)}`,
  },
  vscode: {
    where: ".vscode/mcp.json",
    say: (entry) => pretty({ servers: { deskmap: { type: "stdio", ...entry } } }),
  },
  cursor: { where: "~/.cursor/mcp.json, or .cursor/mcp.json", say: inServers },
  codex: {
    where: "~/.codex/config.toml",
    say: ({ command, args }) =>
      `[mcp_servers.deskmap]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  },
  gemini: { where: "~/.gemini/settings.json", say: inServers },
  zed: {
    where: "settings.json",
    say: (entry) => pretty({ context_servers: { deskmap: { source: "custom", ...entry } } }),
  },
  http: {
    where: "any client that takes an address; start it first: deskmap mcp --http --port 7413",
    say: () =>
      pretty({
        mcpServers: {
          deskmap: {
            type: "http",
            url: "http://127.0.0.1:7413/mcp",
            headers: { Authorization: "Bearer THE-TOKEN-THAT-IT-PRINTS" },
          },
        },
      }),
  },
};

export function listConfigs(): readonly string[] {
  return Object.keys(configs);
}

/** `launcher` is the program that a person starts; clients have folders and search paths of their own. */
export function showConfig(client: string, launcher: string): string | undefined {
  const config = Object.hasOwn(configs, client) ? configs[client] : undefined;
  if (config === undefined) return undefined;
  return `${config.where}:\n\n${config.say({ command: launcher, args: ["mcp"] })}`;
}
