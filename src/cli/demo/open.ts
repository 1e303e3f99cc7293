import { basename, join } from "node:path";
import type { Demo } from "../../demo/file.ts";
import { picturesOf } from "../../demo/pictures.ts";
import { RecordingFolder } from "../../demo/recording.ts";
import type { DemoStore } from "../../demo/store.ts";
import { clientOf } from "../../guard/gate.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Host } from "../../host/port.ts";
import type { Result } from "../../model/failure.ts";
import { folders, processes } from "../../os/index.ts";
import { openDemoStore } from "../../server/demo-store.ts";
import { HostOpener } from "../../server/mcp/open-host.ts";

export function openStore(): DemoStore {
  return openDemoStore(process.env);
}

export function openRecording(): RecordingFolder {
  return new RecordingFolder(join(findPlaces(process.env).state, "recording"));
}

/** A demo by its name, or by the path of its file. */
export function readDemo(nameOrPath: string): Result<Demo> {
  return openStore().read(nameOrPath, folders.working());
}

/** The folder of a demo's pictures, which may be missing. */
export function findPictures(nameOrPath: string): string {
  const file = openStore().find(nameOrPath, folders.working());
  return file.ok ? picturesOf(file.value) : "";
}

/** Works with the daemon of this desktop, or with a host in this process if there can be none. */
export async function withHost<T>(work: (host: Host) => Promise<T>): Promise<T> {
  const opener = new HostOpener(process.env);
  const host = await opener.open(clientOf(process.env).name);
  try {
    return await work(host);
  } finally {
    await host.close();
    opener.close();
  }
}

/** The programs that this process runs in: its shell, its terminal. */
export function listOwnPrograms(): ReadonlySet<string> {
  const names = processes.listLineage(process.pid).map((pid) => basename(processes.readArguments(pid)[0] ?? ""));
  return new Set(names.map((name) => name.toLowerCase()));
}
