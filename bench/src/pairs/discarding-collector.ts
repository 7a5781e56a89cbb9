/**
 * A process: accepts every request and discards its body. `node discarding-collector.ts <port>`.
 *
 * It reads no more of HTTP than the length of a request. A real collector is another machine, whose work takes
 * nothing from the gateway; here it shares the cores.
 */
import { type Socket, createServer } from 'node:net'
import process from 'node:process'

const HEAD_END = '\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n'

createServer(serve).listen(Number(process.argv[2]), '127.0.0.1')

function serve(socket: Socket): void {
  let head = ''
  let bodyBytesLeft = 0
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    if (bodyBytesLeft > 0) return passed(chunk.length)
    head += chunk.toString('latin1')
    const end = head.indexOf(HEAD_END)
    if (end < 0) return
    const bodyBytesHere = head.length - end - HEAD_END.length
    bodyBytesLeft = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0)
    head = ''
    passed(bodyBytesHere)
  })

  /** One request follows the other, so that no chunk has the end of one and the beginning of another. */
  function passed(bytes: number): void {
    bodyBytesLeft -= bytes
    if (bodyBytesLeft === 0) socket.write(ANSWER)
  }
}
