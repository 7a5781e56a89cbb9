import type { AttributeValue, Slot, Span } from '../span.ts'

export interface Attribute {
  readonly name: string
  readonly value: AttributeValue
  readonly type: Slot['type']
}

/** All attributes of a span: those of its shape, those of the shape's slots, and its own. */
export function attributesOf({ shape, values, more = [] }: Span): Attribute[] {
  const slots = shape.slots.map(({ name, type }, index) => {
    const value = values[index] ?? 0
    return { name, value, type: type === 'fraction' ? type : typeOf(value) }
  })
  return [...pairsIn(shape.attributes), ...slots, ...pairsIn(more)]
}

/** Of names and values in turns. */
export function pairsIn(flat: readonly AttributeValue[]): Attribute[] {
  return flat.flatMap((value, at) => {
    if (at % 2 === 0) return []
    return [{ name: String(flat[at - 1]), value, type: typeOf(value) }]
  })
}

function typeOf(value: AttributeValue): Slot['type'] {
  if (typeof value === 'string') return 'text'
  return Number.isSafeInteger(value) ? 'whole' : 'fraction'
}
