import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeAnswer } from './answers.ts'
import type { Moment, VendorPlan } from './plan.ts'
import { vendorRules } from './rules.ts'

export interface BillingVendor {
  readonly url: string
  plan(tag: string, plan: VendorPlan): void
  /** Resolves when the vendor waits at the moment of the plan. */
  waits(tag: string): Promise<void>
  /** Lets the vendor go on; the caller has left. */
  goOn(tag: string): void
  /** Units by tag. */
  readonly bill: ReadonlyMap<string, bigint>
  readonly requests: number
  close(): Promise<void>
}

interface PlannedCall extends VendorPlan {
  refused: number
  readonly waiting: PromiseWithResolvers<void>
  readonly left: PromiseWithResolvers<void>
}

/** A request names its call in its head, or in its text: `call-17;`. */
const TAG = /call-(\d+);/

/** One server that answers as every vendor of the rules, and keeps the bill. */
export async function openBillingVendor(): Promise<BillingVendor> {
  const calls = new Map<string, PlannedCall>()
  const bill = new Map<string, bigint>()
  let requests = 0
  const findCall = (tag: string): PlannedCall => {
    const call = calls.get(tag)
    if (call === undefined) throw new Error(`nobody planned call ${tag}`)
    return call
  }

  async function answer(text: string, response: ServerResponse): Promise<void> {
    const tag = TAG.exec(text)?.[1] ?? ''
    const call = findCall(tag)
    if (call.refused < call.refusals) {
      call.refused++
      response.writeHead(503, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"overloaded"}}')
    }
    const pause = async (moment: Moment): Promise<void> => {
      if (call.leaveAt !== moment) return
      call.waiting.resolve()
      await call.left.promise
    }
    await pause('read')
    if (call.isFailing) {
      response.writeHead(500, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"broken"}}')
    }
    // A vendor that has worked bills what it did, whoever is there to read it.
    const units = call.fixed?.units ?? vendorRules[call.vendor].bill(call.work)
    bill.set(tag, (bill.get(tag) ?? 0n) + units)
    await writeAnswer(response, call, pause)
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests++
    const chunks: Buffer[] = []
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (chunks.length === 1) stall(chunk.toString('latin1'), request)
    })
    request.on('end', () => void answer(Buffer.concat(chunks).toString(), response))
  })

  /** A request that its vendor does not read to its end. */
  function stall(text: string, request: IncomingMessage): void {
    const tag = TAG.exec(text)?.[1]
    const call = tag === undefined ? undefined : calls.get(tag)
    if (call?.leaveAt !== 'unread') return
    request.pause()
    call.waiting.resolve()
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    plan: (tag, plan) =>
      void calls.set(tag, {
        ...plan,
        refused: 0,
        waiting: Promise.withResolvers(),
        left: Promise.withResolvers(),
      }),
    waits: (tag) => findCall(tag).waiting.promise,
    goOn: (tag) => findCall(tag).left.resolve(),
    bill,
    get requests() {
      return requests
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
