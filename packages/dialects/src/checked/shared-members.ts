import { shape, type CheckedSpec } from './shape.ts'

/** Judged members of every body. */
export const ANYWHERE: CheckedSpec = {
  model: null,
  group: null,
  stream: null,
  store: null,
  service_tier: null,
  inference_geo: null,
  speed: null,
  safety_identifier: null,
}

export const CONTAINER = shape({ type: null, id: null, file_ids: null, memory_limit: null, skills: null })

/**
 * Members that make an upstream read or run more than the request contains, under their names in several
 * dialects.
 */
export const REACHING: CheckedSpec = {
  functions: null,
  web_search_options: shape({ search_context_size: null }),
  search_parameters: shape({ mode: null, max_search_results: null }),
  enable_search: null,
  enable_enhancement: null,
  enable_code_interpreter: null,
  web_search: shape({ enable: null, mode: null }),
  connectors: null,
  compound_custom: null,
  documents: null,
  'cached_content|cachedContent': null,
  conversation: null,
  previous_response_id: null,
  plugins: shape({ id: null, max_results: null }),
  mcp_servers: shape({ type: null, url: null, name: null }),
  container: CONTAINER,
  context_management: null,
  file_ids: null,
  vector_store_ids: null,
}
