/** Redis is reachable but refuses the connection. The message is a sentence for the operator. */
export class RedisOpenError extends Error {
  override readonly name = 'RedisOpenError'
}
