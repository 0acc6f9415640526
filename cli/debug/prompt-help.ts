/** The help of the debugger's prompt. */
export const promptHelp = `Moving
  step, s [RULE]        to the next expression, into calls; with a rule, into this one
  next, n               to the next expression of this body or an outer one
  out, o                until the rule, function or comprehension has ended
  back, B [NAME]        to the expression before; with a variable or data.RULE, to its last write
  continue, c           until a breakpoint or a filter stops, or the end
  rcontinue, rc         back to the last stop of that kind
  until, u PLACE        until a place is reached
  restart, r            from the beginning
  by WHAT               what a step passes: expression, rule or statement
Stopping
  break, b PLACE [if EXPRESSION] [hit COUNT] [log TEXT]
                        PLACE is FILE:LINE, LINE, a rule, the address of a statement,
                        or 'value PATH': where a rule, a part of it, or a variable gets a value.
                        COUNT is a number, or >, >=, <, <=, % with one. In TEXT {EXPRESSION} is evaluated.
  breaks                the breakpoints
  delete, d NUMBER|all  removes breakpoints
  error, undefined, fail, conflict, exit, skipped [if EXPRESSION]
                        stops there, or no more: where a built-in or the evaluation fails, a name is undefined,
                        an expression fails, two values meet, a rule ends ('result' is its value),
                        or the rule index passes over a rule
Looking
  where, w              the stack
  list, l [COUNT]       the lines of the source around
  locals                the variables; undefined ones too
  print, p EXPRESSION   its value, with the variables of the frame
  watch EXPRESSION      prints it at each stop; 'unwatch' ends that
  rules                 rules that have a value: this one so far, and those computed
  why                   why the evaluation is here, and what failed last
  frame, f NUMBER       looks at another frame of the stack
  plan [COUNT]          the statements of the plan around
Changing
  input = VALUE         restarts with another input; 'input.user.role = "admin"' changes a part
  data = VALUE          the same for data
  help, h    quit, q
`;
