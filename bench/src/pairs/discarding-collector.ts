/** A process: accepts every request and discards its body. `node discarding-collector.ts <port>`. */
import { createServer } from 'node:http'
import process from 'node:process'

createServer((request, response) => {
  request
    .resume()
    .once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}).listen(Number(process.argv[2]), '127.0.0.1')
