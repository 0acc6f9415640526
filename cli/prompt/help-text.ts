/** The output of `help` at the prompt. */
export const queryPromptHelp = `Type a query to evaluate it, or a rule to define it.

Examples
    > data                          show all documents
    > x := {"a": [1, 2]}            define a rule
    > x.a[i] = v                    show all bindings
    > p contains v if v := x.a[_]   define a set

A line with an open bracket continues on the next line; an empty line ends it.

Commands
    help              print this text
    json, pretty      set the output format
    trace             show how queries are evaluated, or stop that
    notes             show the notes of trace(...) alone, or stop that
    package <path>    set the package of rules and queries
    import <path>     add an import to the package
    show              print the package
    unset <rule>      remove a rule
    exit              end the session (or Ctrl-D)

The input is the document loaded at data.repl.input.
`;
