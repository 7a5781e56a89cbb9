import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { epaySignature } from '../../apps/server/src/services/top-up/gateways/epay-signature.ts'

export const MERCHANT = { EpayId: '1001', EpayKey: 'merchant-secret' }

export interface PaymentHouse {
  readonly url: string
  close(): Promise<void>
}

/**
 * A payment gateway with the Epay protocol. Its page shows the posted order; its button pays: the gateway is
 * notified with a signature, and the buyer returns to the shop.
 */
export async function openPaymentHouse(): Promise<PaymentHouse> {
  let payments = 0
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const order = Object.fromEntries(new URLSearchParams(await text(request)))
    const isSigned = order['sign'] === epaySignature(order, MERCHANT.EpayKey)
    if (request.url === '/submit.php') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(isSigned ? payPage(order) : 'wrong signature')
    } else if (request.url === '/paid') {
      const isTaken = isSigned && (await report(order, `P${++payments}`)) === 'success'
      response.writeHead(isTaken ? 303 : 500, { location: order['return_url'] ?? '/' }).end()
    } else {
      response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Notifies the shop of a payment and returns its response. */
async function report(order: Readonly<Record<string, string>>, payment: string): Promise<string> {
  const { pid = '', type = '', out_trade_no = '', name = '', money = '' } = order
  const paid = { trade_no: payment, trade_status: 'TRADE_SUCCESS' }
  const fields = { pid, type, out_trade_no, name, money, ...paid }
  const query = new URLSearchParams({ ...fields, sign: epaySignature(fields, MERCHANT.EpayKey) })
  return (await fetch(`${order['notify_url'] ?? ''}?${query.toString()}`)).text()
}

function payPage(order: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(order).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  return `<!doctype html><title>Pay</title><form method="post" action="/paid">${inputs.join('')}
    <button>Pay ${escaped(order['money'] ?? '')}</button></form>`
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
