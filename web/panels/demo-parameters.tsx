import { useState } from "preact/hooks";
import type { DemoChange, ShownParameter } from "../../src/inspector/demos.ts";
import { AppText } from "../app-text.tsx";

interface ParametersProps {
  readonly parameters: readonly ShownParameter[];
  onChange(change: DemoChange, done: string): Promise<boolean>;
}

const types = ["text", "email", "date", "number", "path"] as const;

/** The values that were typed: their names and types can be changed. */
export function DemoParameters({ parameters, onChange }: ParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <section class="demo" aria-labelledby="demo-parameters">
      <h3 id="demo-parameters">Parameters</h3>
      {parameters.map((one) => (
        <Parameter key={one.name} parameter={one} onChange={onChange} />
      ))}
    </section>
  );
}

interface ParameterProps {
  readonly parameter: ShownParameter;
  readonly onChange: ParametersProps["onChange"];
}

function Parameter({ parameter, onChange }: ParameterProps) {
  const { name, type, value, label, from } = parameter;
  const [wanted, setWanted] = useState(name);
  const rename = (): void => {
    void onChange({ kind: "rename", parameter: name, to: wanted }, `${name} is called ${wanted} now`);
  };
  return (
    <fieldset class="pattern">
      <legend>
        {name}
        {label === "" ? "" : ": "}
        <AppText text={label} />
      </legend>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <label class="field">
          <span>{`Name of ${name}`}</span>
          <input
            value={wanted}
            maxLength={40}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="submit" disabled={wanted === name}>
          Rename
        </button>
        {type === "secret" ? (
          <span>secret: only the name of a secret is kept</span>
        ) : (
          <label class="field">
            <span>{`Type of ${name}`}</span>
            <select
              value={type}
              onChange={({ currentTarget }) => {
                const to = currentTarget.value;
                currentTarget.value = type;
                void onChange({ kind: "type", parameter: name, to }, `${name} is of type ${to} now`);
              }}
            >
              {types.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
      </form>
      <p class="quiet">
        {from === undefined ? "Recorded: " : `Read from step ${from}; recorded: `}
        <AppText text={value === "" ? "(nothing)" : value} />
      </p>
    </fieldset>
  );
}
