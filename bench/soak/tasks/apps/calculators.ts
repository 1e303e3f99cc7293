import { clipboardIs, not, shows } from "../checks.ts";
import { type Application, cmd, sees } from "../task.ts";
import { type Calculator, makeSums, pressDigits, pressKey } from "./sums.ts";

const signs = { plus: "+", minus: "−", times: "×", equals: "=" } as const;

const gnome: Calculator = {
  open: { open: ["gnome-calculator"], title: "Calculator" },
  selection: "calculator",
  names: { ...signs, clear: "clear display" },
  display: (result) => shows({ text: result, state: "editable" }),
};

export const gnomeCalculator: Application = {
  name: "gnome-calculator",
  package: "gnome-calculator",
  program: "gnome-calculator",
  tasks: [
    ...makeSums(gnome),
    {
      name: "switch to another mode and back",
      plan: (data) => {
        const [a, b] = [data.number(2, 9), data.number(2, 9)];
        return {
          ...gnome.open,
          steps: [
            cmd`click basic --role button --app calculator`,
            sees(cmd`click advanced --app calculator`, shows({ name: "sin" })),
            ...pressDigits(gnome, a),
            pressKey(gnome, "times"),
            ...pressDigits(gnome, b),
            sees(pressKey(gnome, "equals"), gnome.display(String(a * b))),
            cmd`click advanced --role button --app calculator`,
            sees(cmd`click basic --role menuitem --app calculator`, not(shows({ name: "sin" }))),
          ],
          check: gnome.display(String(a * b)),
        };
      },
    },
    {
      name: "copy a result and undo",
      plan: (data) => {
        const [a, b] = [data.number(100, 999), data.number(100, 999)];
        return {
          ...gnome.open,
          steps: [
            cmd`type ${`${a}×${b}`} --app calculator`,
            sees(cmd`type --key enter --app calculator`, gnome.display(String(a * b))),
            cmd`type --key ctrl+a --app calculator`,
            cmd`type --key ctrl+c --app calculator`,
            cmd`clipboard read`,
            sees(cmd`click undo --role button --app calculator`, gnome.display(`${a}×${b}`)),
          ],
          check: clipboardIs(String(a * b)),
        };
      },
    },
  ],
};

const gal: Calculator = {
  open: { open: ["galculator"], title: "galculator" },
  selection: "galculator",
  delay: "200",
  names: { plus: "+", minus: "-", times: "*", equals: "=", clear: "AC" },
  display: (result) => shows({ role: "text", text: result.replace("−", "-") }),
};

export const galculator: Application = {
  name: "galculator",
  package: "galculator",
  program: "galculator",
  tasks: [
    ...makeSums(gal),
    {
      name: "take a root in the scientific mode",
      plan: (data) => {
        const root = data.number(11, 30);
        const result = shows({ role: "text", text: new RegExp(`^${root}\\s`) });
        return {
          ...gal.open,
          steps: [
            cmd`click view --role menu --app galculator`,
            sees(cmd`click "scientific mode" --app galculator`, shows({ name: "sin" })),
            ...pressDigits(gal, root * root),
            sees(cmd`click sqrt --app galculator`, result),
          ],
          check: result,
        };
      },
    },
    {
      name: "look at the preferences and close them",
      plan: () => ({
        ...gal.open,
        steps: [
          cmd`click edit --role menu --app galculator`,
          cmd`click preferences --app galculator`,
          cmd`read --window preferences --interactive`,
          cmd`click close --role button --window preferences`,
          cmd`click 5 --app galculator`,
        ],
        check: gal.display("5"),
      }),
    },
    {
      name: "show the paper",
      plan: (data) => {
        const [a, b] = [data.number(100, 999), data.number(2, 9)];
        return {
          ...gal.open,
          steps: [
            cmd`click view --role menu --app galculator`,
            cmd`click "paper mode" --app galculator`,
            cmd`read --app galculator --interactive`,
            cmd`type ${`${a}*${b}`} --app galculator`,
            cmd`type --key enter --app galculator`,
          ],
          check: shows({ name: String(a * b) }),
        };
      },
    },
  ],
};

const kde: Calculator = {
  open: { open: ["kcalc"], title: "KCalc" },
  selection: "kcalc",
  delay: "200",
  names: { ...signs, clear: "AC" },
  // It shows 1308 as 1,308.
  display: (result) => shows({ role: "frame", name: Number(result.replace("−", "-")).toLocaleString("en") }),
};

export const kcalc: Application = {
  name: "kcalc",
  package: "kcalc",
  program: "kcalc",
  tasks: [
    ...makeSums(kde),
    {
      name: "copy a result by the menu",
      plan: (data) => {
        const [a, b] = [data.number(11, 99), data.number(11, 99)];
        return {
          ...kde.open,
          steps: [
            cmd`type ${`${a}*${b}`} --delay 200 --app kcalc`,
            sees(cmd`type --key enter --app kcalc`, kde.display(String(a * b))),
            cmd`click edit --app kcalc`,
            cmd`click copy --role menuitem --app kcalc`,
            cmd`clipboard read`,
          ],
          check: clipboardIs(String(a * b)),
        };
      },
    },
    {
      name: "use the science mode",
      plan: (data) => {
        const a = data.number(3, 6);
        const result = [1, 2, 6, 24, 120, 720][a - 1] ?? 0;
        return {
          ...kde.open,
          steps: [
            cmd`click settings --app kcalc`,
            sees(cmd`click "science mode" --app kcalc`, shows({ role: "push button", name: "x!" })),
            cmd`read --app kcalc --roles button`,
            ...pressDigits(kde, a),
            sees(cmd`click "x!" --role button --app kcalc`, kde.display(String(result))),
          ],
          check: kde.display(String(result)),
        };
      },
    },
  ],
};
