import type { IncomingHttpHeaders } from 'node:http'
import { isOfBody, mayPass } from '@tollgate/providers/header-names'
import type { HeaderRule } from '../../books/header-rules.ts'

export interface HeaderSource {
  /** The channel's own key. */
  readonly apiKey: string
  readonly caller: IncomingHttpHeaders
}

const TEMPLATE = /\{(api_key|client_header:([^}]*))\}/g

/** The headers a channel's rules make, to be put over the others; later rules win. */
export function overrideHeaders(rules: readonly HeaderRule[], source: HeaderSource): Record<string, string> {
  const made: Record<string, string> = {}
  for (const rule of rules) {
    if (rule.type === 'pass') Object.assign(made, passed(rule.fits, source.caller))
    else {
      const value = filled(rule.template, source)
      if (value !== '') made[rule.name] = value
    }
  }
  return made
}

function passed(fits: (name: string) => boolean, caller: IncomingHttpHeaders): Record<string, string> {
  const fitting = Object.keys(caller).filter((name) => mayPass(name) && !isOfBody(name) && fits(name))
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
