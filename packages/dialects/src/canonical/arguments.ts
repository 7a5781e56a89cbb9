import type { ToolCallPart } from './part.ts'

/** Arguments in a form that clients can parse: a function call without arguments gets an empty object. */
export function argumentsText({ arguments: written, kind }: ToolCallPart): string {
  return kind === 'function' && written.trim() === '' ? '{}' : written
}
