import { isRecord, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { ownValue } from '@tollgate/kit/own-value'
import { bodyModes } from './body-modes.ts'
import { conditionTest } from './conditions.ts'
import { changed, type Draft, type OverrideStep } from './draft.ts'
import { headerModes } from './header-modes.ts'

/** A channel's compiled override, which is applied to the outgoing request last. */
export type Override = OverrideStep

const modes = { ...bodyModes, ...headerModes }

/**
 * Compiles an override, which has one of the two forms of new-api: members by path, or `{operations}`, a list
 * of operations with conditions. It is compiled once per channel. Throws `channel_override_invalid` for an
 * operation that is unknown or cannot be carried out.
 */
export function compileOverride(members: JsonObject): Override {
  const { operations } = members
  const steps = Array.isArray(operations)
    ? operations.filter(isRecord).map(stepOf)
    : Object.entries(members).map(setting)
  return (draft) => steps.reduce((rest, step) => step(rest), draft)
}

/** Creates a draft without changes. */
export function openDraft(body: Draft['body'], caller: Draft['caller'] = {}): Draft {
  return { body, headers: {}, caller, notes: [] }
}

/** Applies the header changes of an override; names are in lower case. */
export function withChanges(
  headers: Readonly<Record<string, string>>,
  changes: Draft['headers'],
): Readonly<Record<string, string>> {
  const names = Object.keys(changes)
  if (names.length === 0) return headers
  const changed = { ...headers }
  for (const name of names) {
    const value = changes[name]
    if (value === undefined) delete changed[name]
    else changed[name] = value
  }
  return changed
}

function setting([path, value]: [string, unknown]): OverrideStep {
  return (draft) => changed(draft, path, () => value)
}

function stepOf(operation: JsonObject): OverrideStep {
  const name = textAt(operation, 'mode') ?? ''
  const mode = ownValue(modes, name)
  if (mode === undefined) throw problem('channel_override_invalid', { mode: name.slice(0, 40) })
  const step = mode(operation)
  const isMeant = conditionTest(operation['conditions'], textAt(operation, 'logic'))
  return (draft) => (isMeant(draft.body) ? step(draft) : draft)
}
