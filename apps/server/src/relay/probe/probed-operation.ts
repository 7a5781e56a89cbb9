import { directOperations } from '../operations/all.ts'
import { chat, embeddings } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'

const ordinary = [chat, embeddings]

/**
 * The operation by which a channel is tested: the one that the upstream's name of the model says, if the
 * channel supports it; else one that it supports.
 */
export function probedOperation(
  model: string,
  isSupported: (operation: Operation) => boolean,
): Operation | undefined {
  const named = directOperations.find(({ probe }) => probe?.isFor?.(model))
  return [...(named ? [named] : []), ...ordinary].find(isSupported)
}
