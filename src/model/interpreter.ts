const interpreter =
  /^(python|perl|ruby|node|bun|deno|java|mono|lua|gjs|wish|tclsh|guile|electron)[\d.]*(-sgen|-console)?$/i;

/** Interpreters: the script is the application, so two scripts have nothing in common. */
export function isInterpreter(program: string): boolean {
  return interpreter.test(program);
}
