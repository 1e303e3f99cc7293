/** What `deskmap policy init` writes: every setting with its default value, so that it changes nothing. */
export const examplePolicy = `// What Deskmap may look at and do on this desktop. Comments and trailing commas are welcome.
//   deskmap policy check    tells whether this file is right; while it is not, nothing is looked at or done
//   deskmap policy accept   after a change by hand: shows what has changed, and lets it hold; until then nothing is done
//   deskmap policy show     tells what holds, and where each value comes from
{
  // Actions per minute without approval, all clients together; 0: no limit.
  "actionsPerMinute": 10,

  // What deletes, sends, pays, overwrites, logs out, shuts down, installs, grants, runs a command, ends a program by force, or
  // fills in a secret: "ask" a person, "allow" or "deny".
  "sensitive": "ask",

  // true: nothing may be done, and no tool that acts exists.
  "readOnly": false,

  // Whether two Escapes, one after the other, stop everything.
  "hotkey": true,

  // By any name of an application (deskmap apps, deskmap list --format json); a name may end in *, and "*" alone means
  // every application that is not named. Of an application's several names the strictest counts.
  //   "blind"      never looked at, never touched, never remembered
  //   "hands-off"  may be read, not controlled
  //   "normal"     may be read and controlled
  "apps": {
    // "thunderbird": "blind",
    // "xterm": "normal",
  },

  // Applications that may be read here, and of which nothing is ever sent to a model, whatever a person has allowed.
  // A name may end in *.
  // "localOnly": ["thunderbird", "libreoffice*"],

  // The first rule that fits decides. What a rule leaves out fits all, but that "allow" covers sensitive actions only
  // where "actions" names them.
  "rules": [
    // { "apps": ["gimp*"], "actions": ["delete", "overwrite"], "decision": "allow" },
    // { "tools": ["quit", "open"], "decision": "ask" },
  ],

  // For clients by the names that they give themselves: the first that fits, before what is said above. A name is only
  // claimed until a person has said whose it is (deskmap allow --client NAME --trust-name): until then, the strictest of
  // all that is said here holds, whatever a client is called. Commands that are typed at a terminal are called "cli".
  "clients": {
    // "claude*": { "actionsPerMinute": 5, "readOnly": false, "sensitive": "deny", "rules": [] },
  },

  // Words that make a label a sensitive one, besides those that Deskmap knows.
  "words": {
    // "delete": ["Verwerfen"],
  },
}
`;
