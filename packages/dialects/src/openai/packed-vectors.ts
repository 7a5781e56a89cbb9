import { recordsAt, type JsonObject } from '../json.ts'

/**
 * Vectors as text where the caller asked for them so and the vendor only writes numbers: four bytes a number, the lowest
 * first. Official clients ask for it unless told otherwise, and would read numbers wrongly. Answers the very object when
 * there is nothing to change. https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function packVectors(answer: Record<string, unknown>): Record<string, unknown> {
  const items = recordsAt(answer, 'data')
  if (!items.some(({ embedding }) => Array.isArray(embedding))) return answer
  return { ...answer, data: items.map(packed) }
}

function packed(item: JsonObject): JsonObject {
  const { embedding } = item
  if (!Array.isArray(embedding)) return item
  const bytes = Buffer.alloc(embedding.length * 4)
  embedding.forEach((number, at) => bytes.writeFloatLE(Number(number), at * 4))
  return { ...item, embedding: bytes.toString('base64') }
}
