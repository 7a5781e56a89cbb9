import type { Example } from '../../../shared/code-example/code-example.tsx'
import { type ExampleValues, KEY_IN_EXAMPLES } from './example-values.ts'
import { toolExamples } from './tool-examples.ts'

/** Opens a realtime session over a WebSocket. */
export function realtimeExamples({ model, address }: ExampleValues): readonly Example[] {
  const url = `${address.replace(/^http/, 'ws')}/v1/realtime?model=${encodeURIComponent(model)}`
  const python = `import json
from websockets.sync.client import connect

headers = {"Authorization": "Bearer ${KEY_IN_EXAMPLES}"}
with connect("${url}", additional_headers=headers) as session:
    session.send(json.dumps({"type": "response.create"}))
    for event in session:
        print(event)`
  const typescript = `import WebSocket from 'ws'

const session = new WebSocket('${url}', {
  headers: { authorization: 'Bearer ${KEY_IN_EXAMPLES}' },
})
session.on('open', () => session.send(JSON.stringify({ type: 'response.create' })))
session.on('message', (event) => console.log(String(event)))`
  return toolExamples({ python, typescript })
}
