const command = "npx";
const args = ["-y", "deskmap", "mcp"];
const entry = { command, args };
const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** What to write where, for clients that start servers themselves. */
const configs: Readonly<Record<string, { readonly where: string; readonly text: string }>> = {
  "claude-desktop": {
    where: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    text: pretty({ mcpServers: { deskmap: entry } }),
  },
  "claude-code": {
    where: "a terminal; or .mcp.json in the folder of a project",
    text: `claude mcp add deskmap -- ${command} ${args.join(" ")}\n\n${pretty({ mcpServers: { deskmap: entry } })}`,
  },
  vscode: { where: ".vscode/mcp.json", text: pretty({ servers: { deskmap: { type: "stdio", ...entry } } }) },
  cursor: { where: "~/.cursor/mcp.json, or .cursor/mcp.json", text: pretty({ mcpServers: { deskmap: entry } }) },
  codex: {
    where: "~/.codex/config.toml",
    text: `[mcp_servers.deskmap]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  },
  gemini: { where: "~/.gemini/settings.json", text: pretty({ mcpServers: { deskmap: entry } }) },
  zed: { where: "settings.json", text: pretty({ context_servers: { deskmap: { source: "custom", ...entry } } }) },
  http: {
    where: "any client that takes an address; start it first: deskmap mcp --http --port 7413",
    text: pretty({
      mcpServers: {
        deskmap: {
          type: "http",
          url: "http://127.0.0.1:7413/mcp",
          headers: { Authorization: "Bearer THE TOKEN THAT IT PRINTS" },
        },
      },
    }),
  },
};

export function listConfigs(): readonly string[] {
  return Object.keys(configs);
}

export function showConfig(client: string): string | undefined {
  const config = configs[client];
  return config === undefined ? undefined : `${config.where}:\n\n${config.text}`;
}
