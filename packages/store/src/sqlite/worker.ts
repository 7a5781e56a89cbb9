import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { toWireError, type WireError } from '../database/errors.ts'
import { Engine, type EngineAnswer, type EngineOptions, type EngineRequest } from './engine.ts'

/** A numbered request and its response. Number 0 is the response to opening. */
export type ToWorker = EngineRequest & { readonly number: number }
export interface FromWorker {
  readonly number: number
  readonly answer?: EngineAnswer
  readonly error?: WireError
}

function serve(options: EngineOptions): void {
  if (options.role === 'background') giveWay()
  const engine = new Engine(options)
  parentPort?.on('message', (request: ToWorker) => {
    if (request.type === 'load' || request.type === 'close') void answerLater(engine, request)
    else answerNow(engine, request)
  })
  send({ number: 0 })
}

/**
 * Lowers the priority of this thread. Only Linux has a priority per thread; elsewhere it would change that of
 * the whole process.
 */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)
}

/** The starter of this thread passes {@link EngineOptions} as `workerData`. */
function givenOptions(): EngineOptions {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are in this folder
  return workerData as EngineOptions
}

function answerNow(engine: Engine, request: Exclude<ToWorker, { type: 'load' }>): void {
  try {
    send({ number: request.number, answer: engine.handleNow(request) })
  } catch (error) {
    send({ number: request.number, error: toWireError(error) })
  }
}

async function answerLater(engine: Engine, request: ToWorker): Promise<void> {
  try {
    send({ number: request.number, answer: await engine.handle(request) })
  } catch (error) {
    send({ number: request.number, error: toWireError(error) })
  }
  if (request.type === 'close') parentPort?.close()
}

function send(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}

try {
  serve(givenOptions())
} catch (error) {
  send({ number: 0, error: toWireError(error) })
  parentPort?.close()
}
