import type { SpanShape } from './span.ts'

/** Callers choose models and paths, so there may be any number of shapes. */
const SHAPES_MAX = 1_000

type Distinction = string | number | boolean | undefined

/** Makes the shape of spans with the same distinctions once. */
export class Shapes<Distinctions extends readonly Distinction[]> {
  readonly #make: (distinctions: Distinctions) => SpanShape
  #root = new Node()
  #count = 0

  constructor(make: (distinctions: Distinctions) => SpanShape) {
    this.#make = make
  }

  of(distinctions: Distinctions): SpanShape {
    let node = this.#root
    for (const distinction of distinctions) node = node.next(distinction)
    return (node.shape ??= this.#made(distinctions))
  }

  #made(distinctions: Distinctions): SpanShape {
    if (++this.#count >= SHAPES_MAX) {
      this.#root = new Node()
      this.#count = 0
    }
    return this.#make(distinctions)
  }
}

class Node {
  shape: SpanShape | undefined
  readonly #children = new Map<Distinction, Node>()

  next(distinction: Distinction): Node {
    let child = this.#children.get(distinction)
    if (child === undefined) {
      child = new Node()
      this.#children.set(typeof distinction === 'string' ? copied(distinction) : distinction, child)
    }
    return child
  }
}

/** A text that does not keep the longer one in memory of which it is a part. */
export function copied(text: string): string {
  return Buffer.from(text).toString()
}
