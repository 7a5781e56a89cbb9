import type { Example } from '../../../shared/code-example/code-example.tsx'
import { type ExampleValues, KEY_IN_EXAMPLES } from './example-values.ts'
import { toolExamples } from './tool-examples.ts'

/** Requests that upload an image as a file. */
export function pictureExamples(
  operation: 'edits' | 'variations',
  { model, address }: ExampleValues,
): readonly Example[] {
  const name = JSON.stringify(model)
  const isEdit = operation === 'edits'
  const prompt = 'Make it night'
  const method = isEdit ? { python: 'edit', typescript: 'edit' } : VARIATION
  const curl = `curl ${address}/v1/images/${operation} \\
  -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" \\
  -F model=${name} \\${isEdit ? `\n  -F prompt="${prompt}" \\` : ''}
  -F image=@picture.png`
  const python = `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${KEY_IN_EXAMPLES}")

answer = client.images.${method.python}(
    model=${name},${isEdit ? `\n    prompt="${prompt}",` : ''}
    image=open("picture.png", "rb"),
)
print(answer.data[0])`
  const typescript = `import { createReadStream } from 'node:fs'
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${KEY_IN_EXAMPLES}' })

const answer = await client.images.${method.typescript}({
  model: ${name},${isEdit ? `\n  prompt: '${prompt}',` : ''}
  image: createReadStream('picture.png'),
})
console.log(answer.data[0])`
  return toolExamples({ curl, python, typescript })
}

const VARIATION = { python: 'create_variation', typescript: 'createVariation' }
