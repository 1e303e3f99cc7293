import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hash as hashDigits } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { gatherEvidence } from "../../src/map/evidence.ts";
import { describeAll } from "../../src/map/recognise.ts";
import { migrations } from "../../src/map/store/migrations.ts";
import { makeMapFolder } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";
