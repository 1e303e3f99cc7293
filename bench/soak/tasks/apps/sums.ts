import type { Data } from "../data.ts";
import { type Check, cmd, type Plan, type Step, sees, type Task } from "../task.ts";

/** How a calculator is used: names of its keys, and where it shows its result. */
export interface Calculator {
  readonly open: Pick<Plan, "open" | "title">;
  readonly selection: string;
  /** Milliseconds between keys, where a key presses a button on the screen that is still down for a moment. */
  readonly delay?: string;
  readonly names: Readonly<Record<"plus" | "minus" | "times" | "equals" | "clear", string>>;
  /** What must be shown for this number. */
  display(result: string): Check;
}

/** Pressing the digits of a number, one key each. */
export function pressDigits({ selection }: Calculator, number: number): readonly Step[] {
  return [...String(number)].map((digit) => cmd`click ${digit} --role button,toggle --app ${selection}`);
}

export function pressKey(calculator: Calculator, key: keyof Calculator["names"]): Step {
  return cmd`click ${calculator.names[key]} --role button,toggle --app ${calculator.selection}`;
}

type Operation = readonly [key: keyof Calculator["names"], compute: (a: number, b: number) => number];

const operations: readonly [Operation, ...Operation[]] = [
  ["plus", (a, b) => a + b],
  ["minus", (a, b) => a - b],
  ["times", (a, b) => a * b],
];

/** Tasks that every calculator can do. */
export function makeSums(calculator: Calculator): readonly Task[] {
  const { open, selection, display, delay = "0" } = calculator;
  const draw = (data: Data, least: number, most: number): [number, number] => [
    data.number(least, most),
    data.number(least, most),
  ];
  return [
    {
      name: "press the keys of a sum",
      plan: (data) => {
        const [a, b] = draw(data, 11, 99);
        const [key, compute] = data.pick(operations);
        const result = display(String(compute(a, b)).replace("-", "−"));
        return {
          ...open,
          steps: [
            cmd`read --app ${selection} --interactive`,
            ...pressDigits(calculator, a),
            pressKey(calculator, key),
            ...pressDigits(calculator, b),
            sees(pressKey(calculator, "equals"), result),
          ],
          check: result,
        };
      },
    },
    {
      name: "clear a number and begin again",
      plan: (data) => {
        const [a, b] = draw(data, 2, 9);
        const result = display(String(a * b));
        return {
          ...open,
          steps: [
            ...pressDigits(calculator, data.number(100, 999)),
            pressKey(calculator, "clear"),
            ...pressDigits(calculator, a),
            pressKey(calculator, "times"),
            ...pressDigits(calculator, b),
            sees(pressKey(calculator, "equals"), result),
          ],
          check: result,
        };
      },
    },
    {
      name: "type sums one after the other",
      plan: (data) => {
        const [a, b] = draw(data, 100, 999);
        const more = data.number(2, 9);
        const result = display(String(a + b + more));
        return {
          ...open,
          steps: [
            cmd`focus --app ${selection}`,
            cmd`type ${`${a}+${b}`} --delay ${delay} --app ${selection}`,
            sees(cmd`type --key enter --app ${selection}`, display(String(a + b))),
            cmd`type ${`+${more}`} --delay ${delay} --app ${selection}`,
            sees(cmd`type --key enter --app ${selection}`, result),
          ],
          check: result,
        };
      },
    },
  ];
}
