import type { Example } from '../../../shared/code-example/code-example.tsx'
import { KEY_IN_EXAMPLES } from './example-values.ts'
import { toolExamples } from './tool-examples.ts'

interface HttpCall {
  readonly address: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** The path to poll for the result: `/mj/task/$ID/fetch`. Absent if the response contains the result. */
  readonly resultPath?: string
  /** The member of the response that holds the task's id. */
  readonly idMember?: string
}

/** A request that no vendor's client supports, as plain HTTP for three tools. */
export function httpExamples(call: HttpCall): readonly Example[] {
  return toolExamples({ curl: curl(call), python: python(call), typescript: typescript(call) })
}

function curl({ address, path, body, resultPath }: HttpCall): string {
  const text = JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll('\n', '\n  ')
  const auth = `-H "Authorization: Bearer ${KEY_IN_EXAMPLES}"`
  const post = `curl ${address}${path} \\\n  ${auth} \\\n  -H "Content-Type: application/json" \\\n  -d '${text}'`
  if (resultPath === undefined) return post
  return `${post}\n\n# With the id of the answer, until the work is done:\ncurl ${address}${resultPath} ${auth}`
}

function python({ address, path, body, resultPath, idMember = '' }: HttpCall): string {
  const post = `import requests

headers = {"Authorization": "Bearer ${KEY_IN_EXAMPLES}"}
answer = requests.post(
    "${address}${path}",
    headers=headers,
    json=${JSON.stringify(body)},
).json()`
  if (resultPath === undefined) return `${post}\nprint(answer)`
  const [before = '', after = ''] = resultPath.split('$ID')
  return `${post}

# Again until the work is done:
task = requests.get(
    "${address}${before}" + answer["${idMember}"] + "${after}",
    headers=headers,
)
print(task.json())`
}

function typescript({ address, path, body, resultPath, idMember = '' }: HttpCall): string {
  const post = `const headers = { authorization: 'Bearer ${KEY_IN_EXAMPLES}', 'content-type': 'application/json' }
const response = await fetch('${address}${path}', {
  method: 'POST',
  headers,
  body: JSON.stringify(${JSON.stringify(body)}),
})
const answer = await response.json()`
  if (resultPath === undefined) return `${post}\nconsole.log(answer)`
  const result = resultPath.replace('$ID', `\${answer.${idMember}}`)
  return `${post}

// Again until the work is done:
const task = await fetch(\`${address}${result}\`, { headers })
console.log(await task.json())`
}
