import type { FormRule } from 'antd'

/** A form rule that shows `message` unless the value is good. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the library leaves the type of a value to its field
export function checkRule<Value = unknown>(
  isGood: (value: Value) => boolean,
  message: string,
): FormRuleObject {
  return {
    validator: (_rule, value: Value) =>
      isGood(value) ? Promise.resolve() : Promise.reject(new Error(message)),
  }
}

/** Without the rules that are functions of the form. */
type FormRuleObject = Exclude<FormRule, (...input: never[]) => unknown>
