import { recordsAt, type JsonObject } from '../json.ts'

/**
 * Encodes embeddings as base64 text, if the caller requested that and the vendor only sends numbers: four
 * bytes per number, little-endian. OpenAI's official client libraries request base64 by default and would
 * misread numbers. Returns the same object if there is nothing to change.
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function encodeEmbeddings(answer: Record<string, unknown>): Record<string, unknown> {
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
