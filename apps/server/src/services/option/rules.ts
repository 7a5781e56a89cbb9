import { priceOptionFault } from '@tollgate/billing/price-options'
import { affinityRulesSchema } from '@tollgate/contract/options/affinity-rules'
import { type OptionKey, optionDefinition, parseOption } from '@tollgate/contract/options/index'
import { missingNeeds, missingText } from '@tollgate/contract/options/needs'
import { type Language, problem } from '@tollgate/problems/problem'
import { affinityRules } from '../../snapshots/affinity-rules.ts'
import { wordFilter } from '../../snapshots/word-filter.ts'
import { isPriceOption } from '../../snapshots/default-text.ts'
import { findNameFault } from './name-fault.ts'
import type { SiteSettings } from '../../snapshots/site-settings.ts'

/** Returns the normalised text of a new value. Throws a problem that tells the operator what is wrong. */
export function readOption(
  settings: Pick<SiteSettings, 'text'>,
  input: { key: OptionKey; text: string; language: Language },
): string {
  const { key, language } = input
  const parsed = parseOption(key, input.text)
  if (parsed.type === 'refused') throw refusal(key, parsed.where, language)
  const isJson = optionDefinition(key).kind === 'json' && input.text.trim() !== ''
  const fault =
    (isJson ? findNameFault(key, input.text) : undefined) ??
    (isPriceOption(key) ? priceOptionFault(key, parsed.text) : patternFault(key, parsed.text))
  if (fault !== undefined) throw refusal(key, fault, language)
  if (optionDefinition(key).kind === 'boolean' && parsed.text === 'true') checkSwitch(settings, key)
  if (optionDefinition(key).kind === 'list') checkDoubles(key, parsed.text)
  if (optionDefinition(key).isPicture && parsed.text !== settings.text(key)) checkPicture(key, parsed.text)
  if (key === 'EmailDomainWhitelist' && parsed.text === '') checkDomainsUnused(settings)
  return parsed.text
}

/**
 * Returns a pattern that is invalid; without this check the line of the filter, or the rule, would silently be
 * ignored.
 */
function patternFault(key: OptionKey, text: string): string | undefined {
  const faults: string[] = []
  const onFault = (pattern: string) => void faults.push(pattern)
  if (key === 'SensitiveWords') wordFilter(text.split('\n'), onFault)
  if (key === 'channel_affinity_setting.rules')
    affinityRules(affinityRulesSchema.parse(JSON.parse(text)), onFault)
  return faults[0]
}

function refusal(key: OptionKey, where: string, language: Language) {
  const allowed = optionDefinition(key).allowed[language]
  return problem('option_refused', { key, allowed, where: where === '' ? '' : ` (${where})` })
}

const WORDS = { label: (key: string) => key, or: ' | ' }

function checkSwitch(settings: Pick<SiteSettings, 'text'>, key: OptionKey): void {
  const missing = missingNeeds(optionDefinition(key), (needed) => textOf(settings, needed) !== '')
  if (missing) throw problem('option_needs', { key, needed: missingText(missing, WORDS) })
}

function checkDoubles(key: OptionKey, text: string): void {
  const entries = text.split(',')
  const double = entries.find((entry, index) => entries.indexOf(entry) < index)
  if (double !== undefined) throw problem('option_entry_doubled', { key, entry: double })
}

/**
 * The content security policy of our pages blocks images over plain HTTP. Values imported from other gateways
 * stay.
 */
function checkPicture(key: OptionKey, text: string): void {
  if (/^http:/i.test(text)) throw problem('option_picture_blocked', { key })
}

/** While registration is limited to the listed email domains, an empty list would refuse everyone. */
function checkDomainsUnused(settings: Pick<SiteSettings, 'text'>): void {
  const needing = 'EmailDomainRestrictionEnabled'
  if (settings.text(needing) === 'true')
    throw problem('option_needed', { key: 'EmailDomainWhitelist', needing })
}

/** The keys in `needs` are option keys; a test of the contract checks that. */
function textOf(settings: Pick<SiteSettings, 'text'>, key: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return settings.text(key as OptionKey)
}
