import * as operations from './operations/index.ts'
import type { Operation } from './operations/operation.ts'

const all: readonly Operation[] = Object.values(operations)
const ordinary = [operations.chat, operations.embeddings]

/**
 * The operation by which a channel is tested: the one that the upstream's name of the model says, if the
 * channel supports it; else one that it supports.
 */
export function probedOperation(
  model: string,
  isSupported: (operation: Operation) => boolean,
): Operation | undefined {
  const named = all.find(({ probe }) => probe?.isFor?.(model))
  return [...(named ? [named] : []), ...ordinary].find(isSupported)
}
