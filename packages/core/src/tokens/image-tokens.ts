import type { ModelProvider } from "./resolved-model.ts";

export interface ImageSize {
  /** In pixels. Both or none. */
  readonly width: number;
  readonly height: number;
}

export type ImageDetail = "auto" | "low" | "high";

// OpenAI ("Images and vision", GPT-4o and GPT-4.1): 85 in low detail, else 170 for each tile of 512 pixels, and 85.
const lowDetailTokens = 85;
const tokensPerTile = 170;
const largestTileCount = 8;
// Anthropic ("Vision"): width × height / 750; scaled to 1,568 pixels and about 1,600 tokens.
const anthropicPixelsPerToken = 750;
const anthropicLongestSide = 1568;
const anthropicLargest = 1600;
// Google ("Understand and count tokens"): 258 up to 384 × 384 pixels, else for each tile of 768 × 768.
const googleTokensPerTile = 258;
// Gemini 3's default for an image of any size.
const googleUnknown = 1120;

/**
 * Tokens of an image by the provider's published rule. Without a size the largest that rule gives (for Google, which has
 * no largest, 1,120). Small OpenAI models count images in patches instead, and bill more.
 *
 * @param detail only OpenAI's; `auto` counts as `high`
 */
export function imageTokens(provider: ModelProvider, size?: ImageSize, detail: ImageDetail = "auto"): number {
  if (provider === "anthropic") return anthropicImageTokens(size);
  if (provider === "google") return googleImageTokens(size);
  return detail === "low" ? lowDetailTokens : lowDetailTokens + tokensPerTile * openAiTiles(size);
}

/** Scaled into 2,048 × 2,048, then to 768 pixels on the shorter side. */
function openAiTiles(size: ImageSize | undefined): number {
  if (size === undefined) return largestTileCount;
  const into = Math.min(1, 2048 / Math.max(size.width, size.height));
  const shorter = Math.min(size.width, size.height) * into;
  const scale = into * Math.min(1, 768 / shorter);
  return Math.ceil((size.width * scale) / 512) * Math.ceil((size.height * scale) / 512);
}

function anthropicImageTokens(size: ImageSize | undefined): number {
  if (size === undefined) return anthropicLargest;
  const scale = Math.min(1, anthropicLongestSide / Math.max(size.width, size.height));
  return Math.min(anthropicLargest, Math.ceil((size.width * size.height * scale * scale) / anthropicPixelsPerToken));
}

function googleImageTokens(size: ImageSize | undefined): number {
  if (size === undefined) return googleUnknown;
  if (size.width <= 384 && size.height <= 384) return googleTokensPerTile;
  return Math.ceil(size.width / 768) * Math.ceil(size.height / 768) * googleTokensPerTile;
}
