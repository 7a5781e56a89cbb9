import { klingJwt, readKlingKey } from './kling-jwt.ts'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { baiduTokens } from './baidu-token.ts'
import { googleTokens, readServiceAccount } from './google-token.ts'
import { sigV4Headers } from './sigv4.ts'
import { sparkUrl } from './spark-url.ts'
import { tc3Authorization, tc3Timestamp } from './tc3.ts'
import { volcengineHeaders } from './volcengine.ts'
import { readZhipuKey, zhipuJwt } from './zhipu-jwt.ts'

const NOW_MS = 1_700_000_000_000

describe('zhipu', () => {
  it('signs a Zhipu token like the documented test vector', () => {
    const token = zhipuJwt({ id: 'myid', secret: 'mysecret' }, NOW_MS)
    expect(token.split('.')[2]).toBe('tideFHpgHnyoz3LtVpmtww2VdrbCu7I7tXTT3kuY_w4')
  })

  it('creates a token that another library accepts', async () => {
    const token = zhipuJwt({ id: 'myid', secret: 'mysecret' }, NOW_MS)
    const { payload } = await jwtVerify(token, Buffer.from('mysecret'))
    expect(payload).toEqual({ api_key: 'myid', exp: 1_700_086_400_000, timestamp: NOW_MS })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
  })

  it.each(['', 'id', 'id.', '.secret', 'a.b.c'])('rejects %j, which is not a key', (key) => {
    expect(readZhipuKey(key)).toBeUndefined()
  })

  it('parses a key', () => {
    expect(readZhipuKey('myid.mysecret')).toEqual({ id: 'myid', secret: 'mysecret' })
  })
})

describe('spark', () => {
  it('signs a Spark URL like the documented test vector', () => {
    const host = 'spark-api.xf-yun.com'
    const url = new URL(
      sparkUrl({ host, path: '/v3.5/chat', apiKey: 'apikey1', apiSecret: 'apisecret1', nowMs: NOW_MS }),
    )
    expect(url.origin + url.pathname).toBe(`wss://${host}/v3.5/chat`)
    expect(url.searchParams.get('host')).toBe(host)
    expect(url.searchParams.get('date')).toBe('Tue, 14 Nov 2023 22:13:20 GMT')
    const authorization = Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString()
    expect(authorization).toBe(
      'hmac username="apikey1", algorithm="hmac-sha256", headers="host date request-line", ' +
        'signature="BdzVoLbF6h6UDwStyvQ5Xkm8OTyhjwq+pmu/7BjOe6Y="',
    )
  })
})

describe('tencent', () => {
  it('signs a TC3 request like the documented test vector', () => {
    const body = Buffer.from('{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}]}')
    const authorization = tc3Authorization({
      secretId: 'AKID',
      secretKey: 'SKEXAMPLE',
      service: 'hunyuan',
      headers: {
        'X-TC-Action': 'ChatCompletions',
        Host: 'hunyuan.tencentcloudapi.com',
        'Content-Type': 'application/json',
      },
      body,
      nowMs: NOW_MS,
    })
    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKID/2023-11-14/hunyuan/tc3_request, ' +
        'SignedHeaders=content-type;host;x-tc-action, ' +
        'Signature=967768976128e52e4bf593caffbada7e1bb888952a23969ee867b92dd8a80c79',
    )
    expect(tc3Timestamp(NOW_MS + 999)).toBe('1700000000')
  })

  // https://cloud.tencent.com/document/api/213/30654, step by step; an older edition of the page signed only
  // two headers.
  it.each([
    ['x-tc-action', 'be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3'],
    [undefined, '2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c'],
  ])("signs like the vendor's own example (%s)", (action, signature) => {
    const body = Buffer.from(
      String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
    )
    expect(createHash('sha256').update(body).digest('hex')).toBe(
      '35e9c5b0e3ae67532d3c9f17ead6c90222632e5b1ff7f6e89887f1398934f064',
    )
    const authorization = tc3Authorization({
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******',
      service: 'cvm',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        host: 'cvm.tencentcloudapi.com',
        ...(action === undefined ? {} : { [action]: 'DescribeInstances' }),
      },
      body,
      nowMs: 1_551_113_065_000,
    })
    expect(authorization).toMatch(new RegExp(`Signature=${signature}$`))
  })
})

describe('aws', () => {
  const suite = {
    accessKey: 'AKIDEXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
    method: 'GET',
    url: new URL('https://example.amazonaws.com/'),
    headers: {},
    body: Buffer.alloc(0),
    nowMs: Date.UTC(2015, 7, 30, 12, 36),
  }

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/signature-v4-test-suite.html
  it.each([
    ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      { url: new URL('https://example.amazonaws.com/?Param2=value2&Param1=value1') },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-header-value-trim',
      { headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } },
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
  ])('signs %s like the published test suite', (_name, change, signature) => {
    expect(sigV4Headers({ ...suite, ...change }).authorization).toMatch(new RegExp(`Signature=${signature}$`))
  })

  it('signs like the documented test vector, with the path encoded twice', () => {
    const { authorization, 'x-amz-date': date } = sigV4Headers({
      ...suite,
      service: 'bedrock',
      method: 'POST',
      url: new URL(
        'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-5-sonnet-20241022-v2%3A0/invoke',
      ),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(
        '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}',
      ),
      nowMs: NOW_MS,
    })
    expect(date).toBe('20231114T221320Z')
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/us-east-1/bedrock/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=aeefa178f0c595756d60f74467fbda54fdca1ac96f610ca1090ecebcfcbc7542',
    )
  })
})

describe('google', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = {
    type: 'service_account',
    project_id: 'project-1',
    client_email: 'gateway@project-1.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: 'key-1',
    token_uri: 'https://elsewhere.example/token',
  }

  it('requests a token with a signed assertion, from Google only', async () => {
    const { url, body } = googleTokens.request(JSON.stringify(file), NOW_MS)
    expect(url).toBe('https://www.googleapis.com/oauth2/v4/token')
    const form = new URLSearchParams(body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload, protectedHeader } = await jwtVerify(
      form.get('assertion') ?? '',
      createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      { currentDate: new Date(NOW_MS), audience: url },
    )
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    expect(payload).toEqual({
      iss: file.client_email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: url,
      iat: 1_700_000_000,
      exp: 1_700_002_100,
    })
  })

  it.each(['', 'sk-1', '{}', JSON.stringify({ ...file, private_key: 'no key' })])(
    'refuses a key that is not a service account (%#)',
    (key) => {
      expect(() => googleTokens.request(key, NOW_MS)).toThrow(/channel_key_invalid/)
    },
  )

  it('reads the service account', () => {
    expect(readServiceAccount(JSON.stringify(file))?.projectId).toBe('project-1')
    expect(readServiceAccount(JSON.stringify({ ...file, client_email: 1 }))).toBeUndefined()
  })
})

describe('baidu', () => {
  it('sends both parts of the key', () => {
    expect(baiduTokens.request('ak&1|sk 2', NOW_MS).url).toBe(
      'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=ak%261&client_secret=sk+2',
    )
  })

  it.each([
    [
      '{"access_token":"24.a","expires_in":2592000}',
      { type: 'token', token: '24.a', lifetimeMs: 2_592_000_000 },
    ],
    [
      '{"error":"invalid_client","error_description":"unknown client id"}',
      { type: 'refused', message: 'unknown client id' },
    ],
    ['{"error":"invalid_client"}', { type: 'refused', message: 'invalid_client' }],
    ['<html>', { type: 'refused', message: '' }],
    ['{"access_token":"24.a","expires_in":0}', { type: 'refused', message: '' }],
  ])('reads the response %s', (body, answer) => {
    expect(baiduTokens.read(Buffer.from(body))).toEqual(answer)
  })
})

describe('volcengine', () => {
  it('signs a Volcengine request like the documented test vector', () => {
    const { authorization, ...headers } = volcengineHeaders({
      accessKey: 'ak',
      secretKey: 'volcsk',
      region: 'cn-north-1',
      service: 'cv',
      method: 'POST',
      url: new URL('https://visual.volcengineapi.com/?Version=2022-08-31&Action=CVSync2AsyncSubmitTask'),
      body: Buffer.from('{"req_key":"jimeng_vgfm_t2v_l20","prompt":"a cat"}'),
      nowMs: NOW_MS,
    })
    expect(authorization).toBe(
      'HMAC-SHA256 Credential=ak/20231114/cn-north-1/cv/request, ' +
        'SignedHeaders=content-type;host;x-content-sha256;x-date, ' +
        'Signature=692b686941f3f2917a255ce43b38633d8996b5cbf9cff36ec37d5b72a90c013b',
    )
    expect(headers).toMatchObject({ 'x-date': '20231114T221320Z' })
  })
})

describe('Kling', () => {
  it('creates the token of the test vector', () => {
    const token = klingJwt({ access: 'ak123', secret: 'sk456' }, 1_700_000_000_000)
    expect(token.split('.')[2]).toBe('pOoNxi_7C-1OnIAmU_fI7PyeZ31k8hweO06VHCxavjc')
  })

  it.each(['sk-one', 'a|', '|b', 'a|b|c'])('rejects %j, which is not a pair of keys', (key) => {
    expect(readKlingKey(key)).toBeUndefined()
  })
})
