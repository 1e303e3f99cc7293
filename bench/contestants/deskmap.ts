// Deskmap in process: deskmap.ts with-marks|platform-only|with-connect. See lab/contestant.ts for the protocol.
import { createInterface } from "node:readline";
import { type Desktop, read } from "../../src/desktop.ts";
import { flatten } from "../../src/model/element.ts";
import { type Result } from "../../src/model/failure.ts";
import { openSession } from "../../src/session.ts";
import type { Order, Report } from "../lab/contestant.ts";

const timeoutMs = 30_000;
