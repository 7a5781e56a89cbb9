import type { IncomingHttpHeaders } from 'node:http'
import { describesBody, mayPass, mayPassByPattern } from '@tollgate/providers/header-names'
import type { HeaderRule } from '../../../snapshots/header-rules.ts'

export interface HeaderSource {
  /** The channel's own key. */
  readonly apiKey: string
  readonly caller: IncomingHttpHeaders
}

const TEMPLATE = /\{(api_key|client_header:([^}]*))\}/g

export interface OverrideHeaders {
  /** Headers passed on from the caller; the channel's own headers override them. */
  readonly passed: Readonly<Record<string, string>>
  /** Headers set by the operator; they override the channel's own. */
  readonly set: Readonly<Record<string, string>>
}

/** Applies a channel's header rules; later rules win. */
export function overrideHeaders(rules: readonly HeaderRule[], source: HeaderSource): OverrideHeaders {
  const made: { passed: Record<string, string>; set: Record<string, string> } = { passed: {}, set: {} }
  for (const rule of rules) {
    if (rule.type === 'pass') Object.assign(made.passed, passedBy(rule.fits, source.caller))
    else {
      const value = filled(rule.template, source)
      if (value !== '') made.set[rule.name] = value
    }
  }
  return made
}

function passedBy(fits: (name: string) => boolean, caller: IncomingHttpHeaders): Record<string, string> {
  const fitting = Object.keys(caller).filter(
    (name) => mayPassByPattern(name) && !describesBody(name) && fits(name),
  )
  return Object.fromEntries(fitting.map((name) => [name, String(caller[name])]))
}

function filled(template: string, { apiKey, caller }: HeaderSource): string {
  return template.replace(TEMPLATE, (_whole, what: string, name?: string) =>
    what === 'api_key' ? apiKey : callersOwn(name ?? '', caller),
  )
}

function callersOwn(text: string, caller: IncomingHttpHeaders): string {
  const name = text.trim().toLowerCase()
  return mayPass(name) ? String(caller[name] ?? '') : ''
}
