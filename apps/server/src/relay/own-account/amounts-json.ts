import { currencyText } from '@tollgate/billing/currency'

/** An amount that is written into JSON as it is, so that no float changes it. */
export class Amount {
  readonly text: string

  constructor(units: bigint, quotaPerUnit: string) {
    this.text = currencyText(units, quotaPerUnit)
  }
}

/** JSON of a flat object with amounts. */
export function jsonWithAmounts(members: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(members).flatMap(([name, value]) => {
    const text: string | undefined = value instanceof Amount ? value.text : JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${texts.join(',')}}`
}
