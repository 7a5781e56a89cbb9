/**
 * What the package `@tollgate/client` exports. `npm run client` bundles it with its types; nothing else
 * imports this file.
 */
export { openClient, type OpenClientOptions } from './open-client.ts'
export { readWebhook, type WebhookMessage, type WebhookRequest } from './webhook.ts'
export { ApiError, type Client, type ReceivedFile } from '../client.ts'
export { routes } from '../routes.ts'
