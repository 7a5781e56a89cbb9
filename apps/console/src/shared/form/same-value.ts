/** Whether two values are equal as form data. Missing, `undefined` and "" are equal: nothing was entered. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (isNothing(left) && isNothing(right)) return true
  if (!isRecord(left) || !isRecord(right)) return Object.is(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    isSameValue(left[key], right[key]),
  )
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
