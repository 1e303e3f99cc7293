import { type Approver, nobody } from "../../src/guard/approval/approver.ts";
import type { Entry } from "../../src/guard/audit/chain.ts";
import { emptyLedger, type Ledger } from "../../src/guard/audit/ledger.ts";
import { Guard } from "../../src/guard/guard.ts";
import { type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Records, Stop, Update } from "../../src/guard/records.ts";
import type { ActionObserver } from "../../src/model/activity.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Capability } from "../../src/platform/port.ts";

/** In-memory records that a test can inspect. */
export class MemoryRecords implements Records {
  readonly entries: Entry[] = [];
  ledger: Ledger = emptyLedger;
  stop: Stop | undefined;

  write(entry: Entry): Result<number> {
    return succeed(this.entries.push(entry));
  }

  describeText(text: string): { length: number; hash: string } {
    return { length: [...text].length, hash: "" };
  }

  update<T>(change: (ledger: Ledger) => Update<T>): Result<T> {
    const { ledger, result } = change(this.ledger);
    this.ledger = ledger;
    return succeed(result);
  }

  findStop(): Stop | undefined {
    return this.stop;
  }
}

interface Query {
  readonly policy?: Partial<Policy>;
  readonly records?: Records;
  readonly approver?: Approver;
  readonly client?: string;
  readonly observer?: ActionObserver;
  /** Ports that the platform lacks. */
  readonly without?: readonly Capability[];
}

/** A guard over an in-memory desktop; without options it lets everything through. */
export function openGuard(desktop: FakeDesktop, query: Query = {}): Guard {
  const { policy, records, approver, client, observer, without = [] } = query;
  return new Guard(
    {
      platform: desktop.open(without),
      policy: { ...sandboxPolicy, ...policy },
      records: records ?? new MemoryRecords(),
      approver: approver ?? nobody,
      client: { name: client ?? "test" },
      observer,
      openHands: () =>
        Promise.resolve(succeed(without.length === 0 ? desktop.openHands() : desktop.openHandsWithout(without))),
    },
    { take: () => Promise.resolve(succeed({ setAsking: () => {}, end: () => {} })) },
  );
}
