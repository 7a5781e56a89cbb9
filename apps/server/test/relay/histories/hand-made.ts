import type { Recording } from '../../agents/recording.ts'

/** Goose sends chat completions with a developer toolbox; Crush sends Messages with a cached system text. */
export const handMade: readonly Recording[] = [
  {
    program: 'goose',
    version: 'by hand',
    dialect: 'chat',
    requests: [
      {
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', 'user-agent': 'goose/1.9' },
        body: {
          model: 'm',
          stream: true,
          messages: [
            { role: 'system', content: 'You are a general agent.' },
            { role: 'user', content: 'Fix the tests.' },
          ],
          tools: [
            {
              type: 'function',
              function: {
                name: 'developer__shell',
                description: 'Runs a command.',
                parameters: {
                  type: 'object',
                  properties: { command: { type: 'string' } },
                  required: ['command'],
                },
              },
            },
          ],
        },
      },
    ],
  },
  {
    program: 'crush',
    version: 'by hand',
    dialect: 'messages',
    requests: [
      {
        path: '/v1/messages',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        body: {
          model: 'm',
          stream: true,
          max_tokens: 5000,
          system: [{ type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } }],
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Fix the tests.' }] }],
          tools: [
            {
              name: 'view',
              description: 'Reads a file.',
              input_schema: {
                type: 'object',
                properties: { file_path: { type: 'string' } },
                required: ['file_path'],
              },
            },
          ],
        },
      },
    ],
  },
]
