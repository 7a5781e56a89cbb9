import type { Example } from '../../../shared/code-example/code-example.tsx'
import { type ExampleValues, KEY_IN_EXAMPLES } from './example-values.ts'
import { pictureExamples } from './picture-examples.ts'
import { realtimeExamples } from './realtime-examples.ts'
import { generateExamples, midjourneyExamples, sunoExamples } from './task-examples.ts'
import { toolExamples } from './tool-examples.ts'

/** Requests that need more than a JSON body, or that no vendor's client supports. */
export const otherExamples: Readonly<Record<string, (values: ExampleValues) => readonly Example[]>> = {
  rerank: (values) =>
    toolExamples({
      curl: rerankCurl(values),
      python: rerankPython(values),
      typescript: rerankTypescript(values),
    }),
  videos: (values) =>
    toolExamples({
      curl: videoCurl(values),
      python: videoPython(values),
      typescript: videoTypescript(values),
    }),
  transcriptions: (values) => audio('transcriptions', values),
  translations: (values) => audio('translations', values),
  'image-edits': (values) => pictureExamples('edits', values),
  'image-variations': (values) => pictureExamples('variations', values),
  realtime: realtimeExamples,
  generate: generateExamples,
  midjourney: midjourneyExamples,
  suno: sunoExamples,
}

function rerankCurl({ model, address }: ExampleValues): string {
  const body = { model, query: 'What is a tollgate?', documents: ['A gate on a road', 'A kind of cheese'] }
  return `curl ${address}/v1/rerank \\
  -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
}

function rerankPython({ model, address }: ExampleValues): string {
  return `import requests

answer = requests.post(
    "${address}/v1/rerank",
    headers={"Authorization": "Bearer ${KEY_IN_EXAMPLES}"},
    json={
        "model": ${JSON.stringify(model)},
        "query": "What is a tollgate?",
        "documents": ["A gate on a road", "A kind of cheese"],
    },
)
print(answer.json()["results"])`
}

function rerankTypescript({ model, address }: ExampleValues): string {
  return `const answer = await fetch('${address}/v1/rerank', {
  method: 'POST',
  headers: { authorization: 'Bearer ${KEY_IN_EXAMPLES}', 'content-type': 'application/json' },
  body: JSON.stringify({
    model: ${JSON.stringify(model)},
    query: 'What is a tollgate?',
    documents: ['A gate on a road', 'A kind of cheese'],
  }),
})
console.log((await answer.json()).results)`
}

/** A video takes three requests: create, poll, download. */
function videoCurl({ model, address }: ExampleValues): string {
  const body = JSON.stringify({ model, prompt: 'A lighthouse at dawn', seconds: '4' })
  return `curl ${address}/v1/videos \\
  -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'

# With the id of the answer, until its status is completed:
curl ${address}/v1/videos/$ID -H "Authorization: Bearer ${KEY_IN_EXAMPLES}"

curl ${address}/v1/videos/$ID/content -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" -o video.mp4`
}

function videoPython({ model, address }: ExampleValues): string {
  return `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${KEY_IN_EXAMPLES}")

video = client.videos.create_and_poll(
    model=${JSON.stringify(model)},
    prompt="A lighthouse at dawn",
    seconds="4",
)
client.videos.download_content(video.id).write_to_file("video.mp4")`
}

function videoTypescript({ model, address }: ExampleValues): string {
  return `import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${KEY_IN_EXAMPLES}' })

let video = await client.videos.create({
  model: ${JSON.stringify(model)},
  prompt: 'A lighthouse at dawn',
  seconds: '4',
})
while (video.status === 'queued' || video.status === 'in_progress') {
  await setTimeout(5_000)
  video = await client.videos.retrieve(video.id)
}
const content = await client.videos.downloadContent(video.id)
await writeFile('video.mp4', Buffer.from(await content.arrayBuffer()))`
}

function audio(operation: 'transcriptions' | 'translations', values: ExampleValues): readonly Example[] {
  const { model, address } = values
  const name = JSON.stringify(model)
  const curl = `curl ${address}/v1/audio/${operation} \\
  -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" \\
  -F model=${name} \\
  -F file=@speech.mp3`
  const python = `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${KEY_IN_EXAMPLES}")

answer = client.audio.${operation}.create(
    model=${name},
    file=open("speech.mp3", "rb"),
)
print(answer.text)`
  const typescript = `import { createReadStream } from 'node:fs'
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${KEY_IN_EXAMPLES}' })

const answer = await client.audio.${operation}.create({
  model: ${name},
  file: createReadStream('speech.mp3'),
})
console.log(answer.text)`
  return toolExamples({ curl, python, typescript })
}
