import { type ConvertedPrice, convertExpression } from '@tollgate/importer/expression/convert-expression'
import type { Note, NoteCode } from '@tollgate/importer/note'
import { parseObject } from '@tollgate/kit/json'
import { isPriceOption, defaultText } from '../../snapshots/default-text.ts'

const MODES = 'billing_setting.billing_mode'
const EXPRESSIONS = 'billing_setting.billing_expr'
const BY_EXPRESSION = 'tiered_expr'

export interface ConvertedOptions {
  readonly texts: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/**
 * An expression replaces all ratios of its model in the source. It becomes ratios here; a model whose expression
 * cannot be converted loses its price, because its old ratios would charge wrongly.
 */
export function convertPrices(stored: ReadonlyMap<string, string>): ConvertedOptions {
  const expressions = parseObject(stored.get(EXPRESSIONS) ?? '') ?? {}
  const models = Object.entries(parseObject(stored.get(MODES) ?? '') ?? {})
    .filter(([, mode]) => mode === BY_EXPRESSION)
    .map(([model]) => model)
  const sheet = new PriceSheet(stored)
  const notes: Note[] = []
  for (const model of models) {
    const text = expressions[model]
    const price =
      typeof text === 'string' ? convertExpression(text, sheet) : ('no expression is stored for it' as const)
    sheet.remove(model)
    if (typeof price === 'string') notes.push(note('option-expression-refused', model, price))
    else {
      sheet.set(model, price)
      notes.push(note('option-expression-converted', model, describe(price)))
    }
  }
  const texts = new Map([...stored].filter(([key]) => key !== MODES && key !== EXPRESSIONS))
  return { texts: new Map([...texts, ...sheet.changed()]), notes }
}

function note(code: NoteCode, model: string, detail: string): Note {
  return { table: 'options', id: model, code, detail }
}

function describe({ entries, steps, tiers }: ConvertedPrice): string {
  const parts = Object.entries(entries).map(([key, value]) => `${key} ${value}`)
  const lengths = steps.map(({ above }) => `more above ${above}`)
  return [...parts, ...lengths, ...[...tiers.keys()].map((tier) => `factor for ${tier}`)].join(', ')
}

/** The maps of prices, with the entries of single models changed. */
class PriceSheet {
  readonly quotaPerUnit: number
  readonly #stored: ReadonlyMap<string, string>
  readonly #maps = new Map<string, Record<string, unknown>>()

  constructor(stored: ReadonlyMap<string, string>) {
    this.#stored = stored
    const unit = Number(stored.get('QuotaPerUnit'))
    this.quotaPerUnit = unit > 0 && Number.isFinite(unit) ? unit : Number(defaultText('QuotaPerUnit'))
  }

  /** Prices of videos may be named by quality, as `model@1080p`. */
  remove(model: string): void {
    for (const key of ['ModelPrice', 'ModelRatio'])
      for (const name of Object.keys(this.#read(key)))
        if (name === model || name.startsWith(`${model}@`)) delete this.#open(key)[name]
  }

  set(model: string, { entries, steps, tiers }: ConvertedPrice): void {
    for (const [key, value] of Object.entries(entries)) this.#open(key)[model] = value
    if (steps.length > 0) this.#open('ContextTierRatio')[model] = steps
    for (const [tier, factor] of tiers) this.#open('ServiceTierRatio')[`${tier}:${model}`] = factor
  }

  changed(): readonly (readonly [string, string])[] {
    return [...this.#maps].map(([key, map]) => [key, JSON.stringify(map)])
  }

  /** The map of a setting, to be changed. */
  #open(key: string): Record<string, unknown> {
    const open = this.#maps.get(key) ?? { ...this.#read(key) }
    this.#maps.set(key, open)
    return open
  }

  /** A text that is no JSON object counts as not set, as in the source. */
  #read(key: string): Readonly<Record<string, unknown>> {
    const usual = isPriceOption(key) ? defaultText(key) : ''
    return this.#maps.get(key) ?? parseObject(this.#stored.get(key) ?? '') ?? parseObject(usual) ?? {}
  }
}
