import type { ClientId, ClientSetup, Dialect, ModelPreference, SetupValues } from './setup.ts'
import { quoted } from './write.ts'

/** Program libraries: one small program in each of two languages. */

export const openaiSdk: ClientSetup = libraryOf('openai-sdk', {
  label: 'OpenAI SDK',
  dialect: 'chat',
  prefers: 'gpt',
  python: {
    install: 'pip install openai',
    text: ({ address, key, model }) => `from openai import OpenAI

client = OpenAI(base_url=${quoted(`${address}/v1`)}, api_key=${quoted(key)})

answer = client.chat.completions.create(
    model=${quoted(model)},
    messages=[{"role": "user", "content": "Say hello in five words."}],
)
print(answer.choices[0].message.content)
`,
  },
  typescript: {
    install: 'npm install openai',
    text: ({ address, key, model }) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${quoted(`${address}/v1`)}, apiKey: ${quoted(key)} });

const answer = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: "user", content: "Say hello in five words." }],
});
console.log(answer.choices[0]?.message.content);
`,
  },
})

export const anthropicSdk: ClientSetup = libraryOf('anthropic-sdk', {
  label: 'Anthropic SDK',
  dialect: 'messages',
  prefers: 'claude',
  python: {
    install: 'pip install anthropic',
    text: ({ address, key, model }) => `from anthropic import Anthropic

client = Anthropic(base_url=${quoted(address)}, api_key=${quoted(key)})

answer = client.messages.create(
    model=${quoted(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Say hello in five words."}],
)
print(answer.content[0].text)
`,
  },
  typescript: {
    install: 'npm install @anthropic-ai/sdk',
    text: ({ address, key, model }) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: ${quoted(address)}, apiKey: ${quoted(key)} });

const answer = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: 1024,
  messages: [{ role: "user", content: "Say hello in five words." }],
});
for (const part of answer.content) if (part.type === "text") console.log(part.text);
`,
  },
})

export const googleSdk: ClientSetup = libraryOf('google-sdk', {
  label: 'Google Gen AI SDK',
  dialect: 'gemini',
  prefers: 'gemini',
  python: {
    install: 'pip install google-genai',
    text: ({ address, key, model }) => `from google import genai

client = genai.Client(api_key=${quoted(key)}, http_options={"base_url": ${quoted(address)}})

answer = client.models.generate_content(
    model=${quoted(model)},
    contents="Say hello in five words.",
)
print(answer.text)
`,
  },
  typescript: {
    install: 'npm install @google/genai',
    text: ({ address, key, model }) => `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: ${quoted(key)}, httpOptions: { baseUrl: ${quoted(address)} } });

const answer = await client.models.generateContent({
  model: ${quoted(model)},
  contents: "Say hello in five words.",
});
console.log(answer.text);
`,
  },
})

export const langchain: ClientSetup = libraryOf('langchain', {
  label: 'LangChain',
  dialect: 'chat',
  prefers: 'any',
  python: {
    install: 'pip install langchain-openai',
    text: ({ address, key, model }) => `from langchain_openai import ChatOpenAI

llm = ChatOpenAI(
    base_url=${quoted(`${address}/v1`)},
    api_key=${quoted(key)},
    model=${quoted(model)},
)
print(llm.invoke("Say hello in five words.").content)
`,
  },
  typescript: {
    install: 'npm install @langchain/openai @langchain/core',
    text: ({ address, key, model }) => `import { ChatOpenAI } from "@langchain/openai";

const llm = new ChatOpenAI({
  configuration: { baseURL: ${quoted(`${address}/v1`)} },
  apiKey: ${quoted(key)},
  model: ${quoted(model)},
});
const answer = await llm.invoke("Say hello in five words.");
console.log(answer.content);
`,
  },
})

interface Program {
  readonly install: string
  readonly text: (values: SetupValues) => string
}

interface LibraryInput {
  readonly label: string
  readonly dialect: Dialect
  readonly prefers: ModelPreference
  readonly python: Program
  readonly typescript: Program
}

function libraryOf(id: ClientId, input: LibraryInput): ClientSetup {
  const { label, dialect, prefers, python, typescript } = input
  return {
    id,
    label,
    kind: 'library',
    prefers,
    variants: [
      variantOf('python', { label: 'Python', dialect, program: python }),
      variantOf('typescript', { label: 'TypeScript', dialect, program: typescript }),
    ],
  }
}

interface VariantInput {
  readonly label: string
  readonly dialect: Dialect
  readonly program: Program
}

function variantOf(language: 'python' | 'typescript', { label, dialect, program }: VariantInput) {
  return {
    id: language,
    label,
    dialect,
    blocks: (values: SetupValues) =>
      [{ type: 'code', language, text: program.text(values), install: program.install }] as const,
  }
}
