/* Classifies pictures: main FILE.ppm... */
#include "pictures.h"

#include <stdio.h>

enum { SIZE = 64, CHANNELS = 3, CLASSES = 3 };
static const char *const names[CLASSES] = {"plain", "upright stripes", "level stripes"};

/* Reads a binary PPM of the model's size. */
static int read_ppm(const char *path, uint8_t *pixels) {
  int width = 0, height = 0, most = 0;
  size_t bytes = 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  if (fscanf(file, "P6 %d %d %d", &width, &height, &most) == 3 && width == SIZE && height == SIZE && most == 255 &&
      fgetc(file) != EOF)
    bytes = fread(pixels, 1, SIZE * SIZE * CHANNELS, file);
  fclose(file);
  return bytes == SIZE * SIZE * CHANNELS;
}

int main(int argc, char **argv) {
  static uint8_t pixels[SIZE * SIZE * CHANNELS];
  float probs[CLASSES];
  pictures *model = NULL;
  int failed = 0;
  if (pictures_create(NULL, &model) != HGC_RT_OK) {
    fprintf(stderr, "%s\n", pictures_last_error());
    return 1;
  }
  for (int i = 1; i < argc; ++i) {
    int best = 0;
    if (!read_ppm(argv[i], pixels)) {
      fprintf(stderr, "%s is no binary PPM of %d x %d pixels\n", argv[i], SIZE, SIZE);
      failed = 1;
      continue;
    }
    if (pictures_run(model, pixels, probs) != HGC_RT_OK) {
      fprintf(stderr, "%s\n", pictures_last_error());
      failed = 1;
      break;
    }
    for (int c = 1; c < CLASSES; ++c)
      best = probs[c] > probs[best] ? c : best;
    printf("%-12s %s (%.2f)\n", argv[i], names[best], (double)probs[best]);
  }
  pictures_destroy(model);
  return failed;
}
