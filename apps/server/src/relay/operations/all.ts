import * as operations from './index.ts'
import type { LaterOperation } from './later-operation.ts'
import type { Operation } from './operation.ts'

const all: readonly (Operation | LaterOperation)[] = Object.values(operations)

/** Operations whose calls are answered at once. */
export const directOperations = all.filter((each): each is Operation => !('endsLater' in each))
export const laterOperations = all.filter((each): each is LaterOperation => 'endsLater' in each)
export const taskApis = laterOperations.flatMap(({ apis }) => apis)
