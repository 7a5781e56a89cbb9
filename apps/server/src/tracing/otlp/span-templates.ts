import type { Span, SpanShape } from '../span.ts'
import { SpanTemplate } from './span-template.ts'

/** Shapes that are not used any more may be among them. */
const TEMPLATES_MAX = 4_000

type Templates = Map<SpanShape, SpanTemplate>

/** The templates of all shapes, for all batches. Spans with and without a parent have different ones. */
export class SpanTemplates {
  readonly #children: Templates = new Map()
  readonly #roots: Templates = new Map()
  readonly #continued: Templates = new Map()

  /** `undefined` for a span that has more than the others of its shape. */
  of(span: Span): SpanTemplate | undefined {
    const { shape, ids, more } = span
    if (more !== undefined || ids.state !== undefined) return undefined
    const templates = this.#like(span)
    const known = templates.get(shape)
    if (known !== undefined) return known
    if (templates.size >= TEMPLATES_MAX) templates.clear()
    const made = new SpanTemplate(span)
    templates.set(shape, made)
    return made
  }

  #like({ ids, index }: Span): Templates {
    if (index > 0) return this.#children
    return ids.parent === undefined ? this.#roots : this.#continued
  }
}
