import type { ToolCallPart } from './part.ts'

/** The arguments as their readers parse them: a function that takes nothing is called with an empty object. */
export function argumentsText({ arguments: written, kind }: ToolCallPart): string {
  return kind === 'function' && written.trim() === '' ? '{}' : written
}
