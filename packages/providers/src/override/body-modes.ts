import { isRecord, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { RE2JS } from 're2js'
import { changed, removed, type OverrideStep } from './draft.ts'
import { atPath } from './paths.ts'
import { pruner } from './prune.ts'

/** Compiles one operation to a step; throws a problem for an operation that cannot be carried out. */
export type Mode = (operation: JsonObject) => OverrideStep

/** Operations on the request body. */
export const bodyModes: Readonly<Record<string, Mode>> = {
  set: (operation) => {
    const { path, value } = about(operation)
    const keepsOwn = operation['keep_origin'] === true
    return (draft) => changed(draft, path, (own) => (keepsOwn && own !== undefined ? own : value))
  },
  delete: (operation) => {
    const { path } = about(operation)
    return (draft) => removed(draft, path)
  },
  copy: (operation) => {
    const { from, to } = ends(operation)
    return (draft) => {
      const value = atPath(draft.body, from)
      return value === undefined ? draft : changed(draft, to, () => value)
    }
  },
  move: (operation) => {
    const { from, to } = ends(operation)
    return (draft) => {
      const value = atPath(draft.body, from)
      return value === undefined ? draft : changed(removed(draft, from), to, () => value)
    }
  },
  prepend: joins((own, added) => [...added, ...own]),
  append: joins((own, added) => [...own, ...added]),
  trim_prefix: texts((text, cut) => (text.startsWith(cut) ? text.slice(cut.length) : text)),
  trim_suffix: texts((text, cut) => (text.endsWith(cut) ? text.slice(0, text.length - cut.length) : text)),
  ensure_prefix: texts((text, head) => (text.startsWith(head) ? text : head + text)),
  ensure_suffix: texts((text, tail) => (text.endsWith(tail) ? text : text + tail)),
  trim_space: texts((text) => text.trim()),
  to_lower: texts((text) => text.toLowerCase()),
  to_upper: texts((text) => text.toUpperCase()),
  replace: (operation) => {
    const { from, to } = ends(operation)
    return onTexts(operation, (text) => (from === '' ? text : text.replaceAll(from, to)))
  },
  regex_replace: (operation) => {
    const { from, to } = ends(operation)
    const pattern = patternOf(from)
    return onTexts(operation, (text) => (from === '' ? text : pattern.matcher(text).replaceAll(to)))
  },
  prune_objects: (operation) => {
    const { path, value } = about(operation)
    const prune = pruner(value)
    return (draft) => {
      if (path !== '') return changed(draft, path, prune)
      const body = prune(draft.body)
      return isRecord(body) && body !== draft.body ? { ...draft, body } : draft
    }
  },
  return_error: ({ value }) => {
    const reason = typeof value === 'string' ? value : textAt(isRecord(value) ? value : {}, 'message')
    return () => {
      throw problem('invalid_request', { reason: reason ?? 'this channel does not take it' })
    }
  },
}

function about(operation: JsonObject): { readonly path: string; readonly value: unknown } {
  return { path: textAt(operation, 'path') ?? '', value: operation['value'] }
}

function ends(operation: JsonObject): { readonly from: string; readonly to: string } {
  return { from: textAt(operation, 'from') ?? '', to: textAt(operation, 'to') ?? '' }
}

function patternOf(text: string): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (cause) {
    throw problem('channel_override_invalid', { mode: 'regex_replace' }, { cause })
  }
}

type Join = (own: readonly unknown[], added: readonly unknown[]) => unknown[]

/**
 * Joins a value with a text (concatenation), with a list (its items), or with an object (only members that
 * the object lacks).
 */
function joins(join: Join): Mode {
  return (operation) => {
    const { path, value } = about(operation)
    return (draft) => changed(draft, path, (own) => joined(own, value, join))
  }
}

function joined(own: unknown, value: unknown, join: Join): unknown {
  if (typeof own === 'string' && typeof value === 'string') return join([own], [value]).join('')
  if (Array.isArray(own)) return join(own, Array.isArray(value) ? value : [value])
  if (isRecord(own) && isRecord(value)) return { ...value, ...own }
  return own === undefined ? value : own
}

function texts(change: (text: string, value: string) => string): Mode {
  return (operation) => {
    const { value } = operation
    const given = typeof value === 'string' ? value : ''
    return onTexts(operation, (text) => change(text, given))
  }
}

function onTexts(operation: JsonObject, change: (text: string) => string): OverrideStep {
  const { path } = about(operation)
  return (draft) => changed(draft, path, (own) => (typeof own === 'string' ? change(own) : own))
}
