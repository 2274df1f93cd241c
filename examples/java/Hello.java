// libgelu from Java, by JNA. For double it is the same with f64 and double[].
import com.sun.jna.Library;
import com.sun.jna.Native;

public class Hello {
    /** JNA copies arrays; large data belongs in direct java.nio buffers, which it passes as they are. */
    public interface Gelu extends Library {
        int APPROXIMATION_NONE = 0;
        int APPROXIMATION_TANH = 1;

        // A long is a size_t on 64-bit systems.
        int gelu_forward_f32(float[] x, float[] y, long n, int approximation);

        int gelu_backward_f32(float[] dy, float[] x, float[] dx, long n, int approximation);

        String gelu_status_string(int status);
    }

    static final Gelu gelu = Native.load(System.getenv().getOrDefault("GELU_LIBRARY", "gelu"), Gelu.class);

    static void check(int status) {
        if (status != 0) {
            throw new IllegalArgumentException("status " + status + ": " + gelu.gelu_status_string(status));
        }
    }

    public static void main(String[] arguments) {
        float[] x = {-6, 0, 6}, dy = {1, 1, 1}, y = new float[3], dx = new float[3];
        check(gelu.gelu_forward_f32(x, y, x.length, Gelu.APPROXIMATION_NONE));
        check(gelu.gelu_backward_f32(dy, x, dx, x.length, Gelu.APPROXIMATION_NONE));
        try {
            check(gelu.gelu_forward_f32(x, y, x.length, 7));
        } catch (IllegalArgumentException error) {
            System.out.printf("GELU(-6) = %.7e, derivative %.7e; %s%n", y[0], dx[0], error.getMessage());
        }
    }
}
