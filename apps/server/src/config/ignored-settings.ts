/** Variables of new-api that have no effect here. Setting one prints the reason. */
export const ignoredSettings: Readonly<Record<string, string>> = {
  SQL_MAX_IDLE_CONNS: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  SQL_MAX_OPEN_CONNS: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  SQL_MAX_LIFETIME: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  REDIS_POOL_SIZE: 'one connection to Redis serves a process',
  MEMORY_CACHE_ENABLED: 'channels and settings are always read from memory',
  BATCH_UPDATE_ENABLED: 'the ledger always commits in batches, without losing any',
  BATCH_UPDATE_INTERVAL: 'the ledger always commits in batches, within a millisecond',
  GET_MEDIA_TOKEN: 'media are counted when the upstream reports no usage',
  GET_MEDIA_TOKEN_NOT_STREAM: 'media are counted when the upstream reports no usage',
  GIN_MODE: 'see LOG_LEVEL',
  DEBUG: 'see LOG_LEVEL',
  ENABLE_PPROF: 'use node --inspect',
  TIKTOKEN_CACHE_DIR: 'tokenizers are part of the installation',
}
